import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { ReplyOf } from '../../../../src/api/routes/routes.ts';
import { Actions } from '../../act/actions.tsx';
import { StatusWord } from '../../parts/status.tsx';
import { Since } from '../../parts/time.tsx';

type Item = ReplyOf<'needsYou'>['items'][number];

const WORDS: { readonly [kind in Item['kind']]: readonly [look: string, shown: string] } = {
  question: ['WAITING_FOR_USER', 'asks'],
  halted: ['halted', 'halted'],
  died: ['died', 'died'],
  verdict: ['blocked', 'awaits your verdict'],
  rework: ['blocked', 'needs rework'],
};

/** One thing that waits for a person, with all it takes to deal with it here. */
export function Needed({
  item,
  selected,
  select,
}: {
  readonly item: Item;
  readonly selected: boolean;
  readonly select: () => void;
}): ReactElement {
  const [look, shown] = WORDS[item.kind] ?? ['halted', item.kind];
  return (
    <li
      className="item"
      aria-current={selected ? 'true' : undefined}
      data-selected={selected}
      onFocus={select}
    >
      <div className="row">
        <StatusWord word={look} shown={shown} />
        <Link href={pageOf(item)} className="grow clip" title={item.title}>
          {item.title}
        </Link>
        <span className="quiet mono">{(item.task ?? item.session ?? '').slice(-6)}</span>
        <span className="quiet">
          <Since at={item.since} />
        </span>
      </div>
      <p className="what">{item.what}</p>
      <Actions actions={item.actions} />
    </li>
  );
}

export function pageOf({ session, task }: Item): string {
  return task === undefined ? `/sessions/${session ?? ''}` : `/tasks/${task}`;
}
