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

/** Whether an entry of `.loopwright/` is state of ours. */
export function isStateName(name: string): boolean {
  return FOLDERS.has(name) || DATABASE.test(name) || name === LEARNED;
}
