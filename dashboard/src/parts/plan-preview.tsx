import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { call } from '../api/call.ts';
import { useTopic } from '../live/use-live.ts';
import { StatusWord } from './status.tsx';
import { Problem } from './view.tsx';

/** Each path that is typed: free, or who else means to change it. Nobody enters the line by looking. */
export function PlanPreview({ paths }: { readonly paths: readonly string[] }): ReactElement | null {
  useTopic('plans');
  const preview = useQuery({
    queryKey: ['previewPlan', {}, { paths }],
    queryFn: () => call('previewPlan', { body: { paths: [...paths] } }),
    enabled: paths.length > 0,
    placeholderData: (before) => before,
  });
  if (paths.length === 0) return null;
  if (preview.error) return <Problem error={preview.error} />;
  return (
    <ul aria-label="Who else means to change them" aria-live="polite">
      {(preview.data?.paths ?? []).map(({ path, clashes }) => (
        <li key={path} className="row">
          <StatusWord
            word={clashes.length === 0 ? 'completed' : 'halted'}
            shown={clashes.length === 0 ? 'clear' : 'clash'}
          />
          <code>{path}</code>
          {clashes.map((other) => (
            <span key={`${other.kind} ${other.id} ${other.path}`}>
              with{' '}
              <Link href={`/${other.kind}s/${other.id}`}>
                {other.kind} {other.id.slice(-6)}
              </Link>{' '}
              on <code>{other.path}</code>
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}
