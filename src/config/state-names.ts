/** What we ourselves keep in the folder of a project. Everything else in it is somebody's word about how to work. */
const FOLDERS = new Set([
  'calls',
  'candidates',
  'dashboard',
  'locks',
  'logs',
  'model-keys',
  'prompts',
  'repositories',
  'reviews',
  'research',
  'reviews',
  'runs',
  'sessions',
  'tmp',
  'trash',
  'unmade',
  'worktrees',
]);
const DATABASE = /^loopwright\.db(?:-wal|-shm|-journal)?$/;
/** What tasks found out about the project. */
const LEARNED = 'generated-paths.auto.txt';

/** What a person wants to be reminded of later. */
const SNOOZED = 'snoozed.json';

/** Whether an entry of `.loopwright/` is state of ours. */
export function isStateName(name: string): boolean {
  return FOLDERS.has(name) || DATABASE.test(name) || name === LEARNED || name === SNOOZED;
}
