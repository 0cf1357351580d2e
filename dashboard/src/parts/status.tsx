import { Ban, CircleCheck, CircleDot, Clock, Hand, Loader, OctagonAlert, Skull } from 'lucide-react';
import type { ComponentType, ReactElement } from 'react';

type Tone = 'running' | 'needs' | 'failed' | 'done' | 'waiting' | 'rest';
type Icon = ComponentType<{ readonly size?: number; readonly 'aria-hidden'?: boolean }>;

/** A status is always a word, an icon and a colour: none of them carries the meaning alone. */
const LOOKS: { readonly [word: string]: readonly [Tone, Icon] } = {
  running: ['running', Loader],
  RUNNING: ['running', Loader],
  starting: ['running', Loader],
  waiting: ['waiting', Clock],
  parked: ['waiting', Clock],
  PENDING: ['waiting', Clock],
  queued: ['waiting', Clock],
  held: ['rest', Hand],
  halted: ['needs', Hand],
  WAITING_FOR_USER: ['needs', Hand],
  blocked: ['needs', Hand],
  'not started': ['rest', CircleDot],
  'never started': ['rest', CircleDot],
  'no change': ['needs', CircleDot],
  completed: ['done', CircleCheck],
  DONE: ['done', CircleCheck],
  done: ['done', CircleCheck],
  failed: ['failed', OctagonAlert],
  ERROR: ['failed', OctagonAlert],
  died: ['failed', Skull],
  unreadable: ['failed', OctagonAlert],
  aborted: ['rest', Ban],
  cancelled: ['rest', Ban],
};

export function StatusWord({
  word,
  shown = word,
}: {
  readonly word: string;
  readonly shown?: string;
}): ReactElement {
  const [tone, Icon] = LOOKS[word] ?? ['rest', CircleDot];
  return (
    <span className={`status ${tone}`}>
      <Icon size={14} aria-hidden />
      {shown}
    </span>
  );
}
