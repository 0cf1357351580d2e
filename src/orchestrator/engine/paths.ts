import type { BlockId } from '../../manifest/resolved.ts';
import { isGenerated } from '../../verification/changes/generated-paths.ts';
import { findViolations } from '../../verification/policy/violations.ts';
import type { Violation } from '../../verification/report.ts';
import type { StatusChange, StepRecord } from '../state/record.ts';
import type { SessionState } from '../state/session-state.ts';
import type { TreePort } from './tree-port.ts';

/** What a session may change, beside what it was told when it began. Absent: nobody looks. */
export interface PathRules {
  /** Commands that prove the work: what they run must not be rewritten by it. */
  readonly commands: readonly string[];
}

/** Whose step it was: `agent` includes everything whose words a model or a foreign program decides. */
export type StepBy = 'agent' | 'check' | 'other';

const CHECKS = new Set(['Internal:TestRunner', 'Internal:RunLinter', 'Internal:RunBuilder']);
const FOR_AGENTS = new Set(['Internal:RunStage', 'Internal:FileSystemWriter']);

export function stepBy(worker: string, kind: string | undefined): StepBy {
  if (CHECKS.has(worker)) return 'check';
  return kind === 'agent' || kind === 'program' || FOR_AGENTS.has(worker) ? 'agent' : 'other';
}

/**
 * The files that a session may not touch and that a step, or an earlier one, has left changed. What a check makes
 * outside the allowed paths is no work: it is put back, as for a task.
 */
export async function strayedBy(
  by: StepBy,
  state: SessionState,
  rules: PathRules,
  tree: TreePort,
): Promise<Violation[]> {
  const { paths, strayed, files } = state;
  const isBound = paths.allow.length > 0 || paths.deny.length > 0;
  if (by !== 'agent' && !isBound && strayed.length === 0) return [];
  const step = (await tree.changes?.(files ?? undefined)) ?? [];
  const candidates = new Set([...strayed, ...step]);
  if (candidates.size === 0) return [];
  const all = new Set((await tree.changes?.()) ?? []);
  const found = violations([...candidates].filter((path) => all.has(path)).sort(), state, rules, by);
  if (by !== 'check' || !tree.undo) return found;
  const left = found.map(({ path }) => path).filter((path) => !strayed.includes(path));
  if (left.length > 0) await tree.undo(left);
  return found.filter(({ path }) => strayed.includes(path));
}

function violations(
  changed: readonly string[],
  { paths, strayed }: SessionState,
  { commands }: PathRules,
  by: StepBy,
): Violation[] {
  const { allow, deny: denied, opened: later = [] } = paths;
  const opened = [...allow, ...later];
  const protection = { opened, commands, forRun: true };
  const found = findViolations(changed, {
    allowed: allow.length === 0 ? [] : opened,
    denied,
    mode: 'local-git',
    protection,
  });
  return found.filter(({ path, why }) => {
    // The person's own workflow may do what its agents may not.
    if (why === 'protected') return by === 'agent' || strayed.includes(path);
    return why !== 'outside' || !isGenerated(path);
  });
}

const REASONS = { denied: 'denied', outside: 'outside the allowed paths', protected: 'protected' } as const;

/** The step counts, but nothing follows it before a person has decided about these files. */
export function haltedByPaths(record: StepRecord, found: readonly Violation[]): StepRecord {
  const status = haltForPaths(found, record.block, record.next);
  return { ...record, strayed: found.map(({ path }) => path), status };
}

export function haltForPaths(
  found: readonly Violation[],
  block: BlockId | null,
  resumeAt: BlockId | null = null,
): StatusChange {
  const names = found.map(
    ({ path, why, because }) => `${path} (${REASONS[why]}${because === undefined ? '' : `: ${because}`})`,
  );
  const message = `these files were changed and may not be: ${names.join(', ')}`;
  const paths = found.map(({ path }) => path);
  return { to: 'halted', halt: { reason: 'paths', message, block, resumeAt, paths } };
}
