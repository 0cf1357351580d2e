import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { LiveSession } from '../../../../src/api/live.ts';
import { shellWord } from '../../../../src/kernel/shell-word.ts';
import { duration } from '../../../../src/kernel/words.ts';
import { CopyButton } from '../../parts/command.tsx';
import { dollars, Money, short } from '../../parts/money.tsx';
import { StatusWord } from '../../parts/status.tsx';
import { Since, When } from '../../parts/time.tsx';
import { Fact } from '../inbox/now.tsx';
import { blockName, type SessionPage } from './page.ts';

export function SessionHead({
  session,
  live,
}: {
  readonly session: SessionPage;
  readonly live: LiveSession | null;
}): ReactElement {
  const { id, goal, word, halt, workflow, worktree, used, budget, epoch, owner, task, delivery } = session;
  const money = live?.used.usd ?? used.usd;
  const tokens = live?.used.tokens ?? used.tokens;
  return (
    <header className="stack" style={{ gap: 6 }}>
      <div className="row">
        <h1 className="grow">{goal}</h1>
        <StatusWord word={word} shown={halt && word === 'halted' ? `halted: ${halt.reason}` : word} />
        <span className="mono quiet">
          {id.slice(-6)}
          <CopyButton text={id} label="Copy the id" />
        </span>
      </div>
      {task ? (
        <p>
          Of task <Link href={`/tasks/${task.id}`}>{task.id.slice(-6)}</Link>. What becomes of it is decided
          there.
        </p>
      ) : null}
      <dl className="facts">
        {workflow === undefined ? null : <Fact name="Workflow">{workflow}</Fact>}
        <Fact name="Steps">
          {session.step}
          {budget.steps === undefined ? '' : ` of ${budget.steps}`}
        </Fact>
        <Fact name="Cost">
          <Money usd={money} />
          {budget.usd === undefined ? '' : ` of ${dollars(budget.usd)}`}
        </Fact>
        <Fact name="Tokens">{short(tokens)}</Fact>
        <Fact name="Active">{duration(live?.used.ms ?? used.ms)}</Fact>
        <Fact name="Began">
          <When at={session.createdAt} />
        </Fact>
        <Fact name="Owner">
          {session.ownerAlive ? `pid ${owner.pid}` : 'none'}
          {epoch > 1 ? `, epoch ${epoch}` : ''}
        </Fact>
        {worktree === undefined ? null : (
          <Fact name="Worktree">
            <span className="mono clip" title={worktree}>
              {worktree.split('/').at(-1)}
            </span>
            <CopyButton text={`cd ${shellWord(worktree)}`} label="Copy the command that goes there" />
          </Fact>
        )}
        {delivery ? (
          <Fact name="Delivered">
            {delivery.kind} <When at={delivery.at} />
          </Fact>
        ) : null}
      </dl>
      {live?.running ? (
        <p className="running-line" aria-live="off">
          <StatusWord word="running" shown={blockName(live.running.block)} />
          <span className="quiet">
            step {live.running.step}, <Since at={live.running.since} />
          </span>
          <code className="clip grow">{lastLine(live.tasks.at(-1)?.tail ?? live.running.tail)}</code>
        </p>
      ) : null}
    </header>
  );
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}
