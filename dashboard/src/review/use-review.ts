import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyOf, ReplyOf } from '../../../src/api/routes/routes.ts';
import { call } from '../api/call.ts';
import { routeKey, useRoute } from '../api/use-route.ts';

export type Review = ReplyOf<'review'>;
export type Comment = Review['comments'][number];

export interface Reviewing {
  readonly review: Review | undefined;
  readonly error: Error | null;
  readonly save: (change: Partial<Pick<Review, 'summary' | 'comments' | 'viewed'>>) => void;
}

/** The comments of a person on what a session changed. Each is kept on the disk as soon as it is written. */
export function useReview(session: string): Reviewing {
  const queries = useQueryClient();
  const params = { id: session };
  const { data: review, error } = useRoute('review', { params });
  const saving = useMutation({
    mutationFn: (body: BodyOf<'saveReview'>) => call('saveReview', { params, body }),
    onSuccess: (saved) => queries.setQueryData(routeKey('review', { params }), saved),
  });
  return {
    review,
    error: error ?? saving.error,
    save(change) {
      if (!review) return;
      const { session: _session, ...kept } = review;
      const body = { ...kept, ...change };
      queries.setQueryData(routeKey('review', { params }), { session, ...body });
      saving.mutate(body);
    },
  };
}
