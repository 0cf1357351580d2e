import {
  Bot,
  Coins,
  Columns3,
  FolderTree,
  Inbox,
  ListTree,
  MessagesSquare,
  Settings,
  SquareTerminal,
  Workflow,
} from 'lucide-react';
import type { ComponentType } from 'react';

export interface Place {
  readonly path: string;
  readonly name: string;
  /** After `g`. */
  readonly key: string;
  readonly icon: ComponentType<{ readonly size?: number; readonly 'aria-hidden'?: boolean }>;
}

/** The screens, in the order of the rail. */
export const PLACES: readonly Place[] = [
  { path: '/', name: 'Inbox', key: 'i', icon: Inbox },
  { path: '/board', name: 'Board', key: 'b', icon: Columns3 },
  { path: '/sessions', name: 'Sessions', key: 's', icon: ListTree },
  { path: '/pipelines', name: 'Pipelines', key: 'p', icon: SquareTerminal },
  { path: '/workflows', name: 'Workflows', key: 'w', icon: Workflow },
  { path: '/calls', name: 'Calls', key: 'l', icon: MessagesSquare },
  { path: '/worktrees', name: 'Worktrees', key: 't', icon: FolderTree },
  { path: '/agents', name: 'Agents', key: 'a', icon: Bot },
  { path: '/costs', name: 'Costs', key: 'c', icon: Coins },
  { path: '/settings', name: 'Settings', key: ',', icon: Settings },
];
