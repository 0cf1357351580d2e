import type { ReactElement } from 'react';
import { visible } from '../../../src/kernel/visible.ts';
import type { Comment, Reviewing } from './use-review.ts';

/** The comments on one file, each with the code it is about and what became of it. */
export function FileComments({
  path,
  reviewing: { review, save },
}: {
  readonly path: string;
  readonly reviewing: Reviewing;
}): ReactElement | null {
  const comments = review?.comments.filter((comment) => comment.path === path) ?? [];
  if (comments.length === 0) return null;
  const remove = (id: string) => save({ comments: review?.comments.filter((one) => one.id !== id) ?? [] });
  return (
    <ul aria-label={`Comments on ${path}`}>
      {comments.map((comment) => (
        <li key={comment.id} className="item">
          <div className="row">
            <strong>line {linesOf(comment)}</strong>
            <span className="chip">{comment.state}</span>
            <span className="quiet">step {comment.step}</span>
            {comment.state === 'sent' ? null : (
              <button type="button" className="button plain" onClick={() => remove(comment.id)}>
                Delete
              </button>
            )}
          </div>
          <pre className="lines" tabIndex={0}>
            {visible(comment.quote ?? '')}
          </pre>
          <p className="what">{comment.text}</p>
        </li>
      ))}
    </ul>
  );
}

function linesOf({ from, to }: Comment): string {
  return to === undefined || to === from ? String(from ?? '') : `${from} to ${to}`;
}
