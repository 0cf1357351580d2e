import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { SessionPage } from './page.ts';
import { blockName } from './page.ts';

const TITLES: { readonly [reason: string]: string } = {
  flag: 'A block asks for a person',
  step: 'It waits before the next block',
  limit: 'A limit was reached',
  budget: 'The budget is used up',
  gate: 'A gate is closed',
  question: 'It asks',
  interrupted: 'It was interrupted',
  rewound: 'It was taken back to an earlier step',
  files: 'Its files are not as they were',
  tampered: 'Something was changed that no work may change',
  suspicious: 'The checks themselves were weakened',
  unproven: 'What ran could not have failed',
  flaky: 'A check was red and green on the same files',
  no_change: 'Nothing was changed',
  paths: 'Files were changed that may not be',
};

/** Why a session stands still, in the words of whoever failed. It is there only while a person can do something. */
export function Intervene({
  session,
  isBrief,
}: {
  readonly session: SessionPage;
  /** Only what it is, where something else is looked at. */
  readonly isBrief: boolean;
}): ReactElement | null {
  const { id, status, halt, why, suspicious = [], error, reason, word } = session;
  if (status === 'running' && word !== 'died') return null;
  if (status === 'completed' && suspicious.length === 0) return null;
  const said = halt?.message ?? error?.message ?? reason;
  if (said === null && suspicious.length === 0 && word !== 'died') return null;
  const title =
    word === 'died' ? 'The process that ran it is gone' : halt ? (TITLES[halt.reason] ?? halt.reason) : word;
  return (
    <section className={`intervene ${status === 'failed' ? 'broken' : ''}`} aria-label="Why it stands still">
      <h2>
        {title}
        {halt?.block ? ` · ${blockName(halt.block)}` : ''}
      </h2>
      {said === null ? null : <p className="what">{said}</p>}
      {word === 'died' ? <p>Whatever had finished is kept. The step that ran is run again.</p> : null}
      {why && why.lines.length > 0 && !isBrief ? (
        <>
          <pre className="lines" tabIndex={0}>
            {why.lines.join('\n')}
          </pre>
          <Link href={`/sessions/${id}/flow?step=${why.step}`}>Step {why.step} in full</Link>
        </>
      ) : null}
      {suspicious.length === 0 || isBrief ? null : (
        <ul>
          {suspicious.map(({ rule, weight, path, line, what, test }) => (
            <li key={[rule, path, line, test].join(' ')}>
              <strong>{weight === 'hard' ? '!' : 'note:'}</strong>{' '}
              <code>
                {path}
                {line === undefined ? '' : `:${line}`}
              </code>{' '}
              {what} <span className="quiet">({rule})</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
