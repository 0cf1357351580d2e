import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { ReplyOf } from '../../../../src/api/routes/routes.ts';
import { Money } from '../../parts/money.tsx';
import { StatusWord } from '../../parts/status.tsx';
import { When } from '../../parts/time.tsx';

type Summary = ReplyOf<'sessions'>['sessions'][number];

export function SessionRow({ session }: { readonly session: Summary }): ReactElement {
  const { id } = session;
  if ('problem' in session)
    return (
      <tr>
        <td>
          <StatusWord word={session.status} />
        </td>
        <td colSpan={6}>
          <Link href={`/sessions/${id}`}>{session.problem}</Link>
        </td>
        <td className="mono">{id.slice(-6)}</td>
      </tr>
    );
  const { word, goal, currentBlock, lastBlock, step, used, workflow, createdAt, halt, delivery, task } =
    session;
  return (
    <tr>
      <td>
        <StatusWord word={word} />
        {halt && word === 'halted' ? <div className="quiet">{halt.reason}</div> : null}
        {delivery ? <div className="quiet">{delivery.kind}</div> : null}
      </td>
      <td style={{ maxWidth: 420 }}>
        <Link href={`/sessions/${id}`} className="clip" style={{ display: 'block' }} title={goal}>
          {goal}
        </Link>
        {task ? (
          <Link href={`/tasks/${task.id}`} className="quiet">
            of task {task.id.slice(-6)}
          </Link>
        ) : null}
      </td>
      <td className="mono">{(currentBlock ?? lastBlock ?? '').replace(/^.*__/, '')}</td>
      <td className="number">{step}</td>
      <td>
        <Money usd={used.usd} />
      </td>
      <td>{workflow ?? ''}</td>
      <td className="quiet">
        <When at={createdAt} />
      </td>
      <td className="mono">{id.slice(-6)}</td>
    </tr>
  );
}
