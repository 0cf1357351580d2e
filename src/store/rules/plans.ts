import {
  type ChangeSet,
  type Holder,
  type Obstacle,
  pathWords,
  sessionKey,
} from '../../backlog/change-set.ts';
import type { PlanPattern } from '../../backlog/pattern.ts';
import {
  type Admission,
  type Blocker,
  type Conflict,
  isBefore,
  keepsWaiting,
  type Place,
  type PlanPlace,
} from '../../backlog/plans.ts';
import { ConflictError } from '../../kernel/errors.ts';
import { clashesWith, isSame, obstacleTo, occupy } from './paths.ts';
import { all, type Rule, run, sql } from './say.ts';

/** How many of the tasks in line are asked whom they wait for, the first of them. */
const LISTED = 200;

export interface Entering {
  readonly patterns: readonly PlanPattern[];
  readonly priority: number;
  readonly at: number;
}

export function* enter(session: string, { patterns, priority, at }: Entering): Rule<void> {
  yield* run(sql`insert into plan_session (id, status, priority, since)
    values (${session}, 'waiting', ${priority}, ${at}) on conflict (id) do nothing`);
  yield* occupy(holderOf(session), { key: sessionKey(session), patterns });
}

export function* admit(session: string): Rule<Admission> {
  const own = yield* placeOf(session);
  if (!own) return { admitted: true };
  const waitsFor = (yield* clashesOf(session, yield* patternsOf(session)))
    .filter(({ place }) => (place ? keepsWaiting(place, own) : own.status !== 'active'))
    .map(({ blocker }) => blocker);
  if (waitsFor.length > 0) return { admitted: false, waitsFor };
  yield* run(sql`update plan_session set status = 'active' where id = ${session}`);
  return { admitted: true };
}

export function* extendPlan(session: string, patterns: readonly PlanPattern[]): Rule<readonly Blocker[]> {
  if (!(yield* placeOf(session)))
    throw new ConflictError(`Session ${session} is not in line, so it has no change plan to extend.`, {
      next: 'Enter it first.',
    });
  const added = yield* occupy(holderOf(session), { key: sessionKey(session), patterns });
  return (yield* clashesOf(session, added)).map(({ blocker }) => blocker);
}

export function* hold(session: string): Rule<void> {
  yield* run(sql`update plan_session set status = 'held' where id = ${session}`);
}

export function* leave(session: string): Rule<void> {
  yield* run(sql`delete from planned_path where kind = 'session' and holder = ${session}`);
  yield* run(sql`delete from plan_session where id = ${session}`);
}

export function* patternsOf(session: string): Rule<PlanPattern[]> {
  const rows = yield* all<{ pattern: string; prefix: string; wide: number }>(sql`
    select pattern, prefix, wide from planned_path
    where kind = 'session' and holder = ${session} order by pattern`);
  return rows.map(({ pattern, prefix, wide }) => ({ pattern, prefix, wide: wide === 1 }));
}

export function* places(): Rule<PlanPlace[]> {
  return yield* all<PlanPlace>(
    sql`select id, status, priority, since from plan_session order by priority, seq`,
  );
}

/** Each pair once per path, whoever of the two came first. */
export function* conflicts(): Rule<Conflict[]> {
  const found = new Map<string, Conflict>();
  const note = (a: Holder, b: Holder, path: string): void => {
    const between = [a, b].map(({ kind, id }) => ({ kind, id })).sort(inOrder) as [Holder, Holder];
    found.set(JSON.stringify([between, path]), { between, path: pathWords(path) });
  };
  const rows = yield* all<PlanPattern & Omit<Holder, 'wide'> & { wide: number }>(sql`
    select kind, holder as id, pattern, prefix, wide from planned_path`);
  for (const { kind, id, pattern, prefix, wide } of rows) {
    for (const other of yield* clashesWith({ pattern, prefix, wide: wide === 1 })) {
      if (!isSame(other, { kind, id })) note({ kind, id }, other, longer(pattern, other.path));
    }
  }
  const waiting = yield* all<{ id: string; scope: string }>(sql`
    select id, scope from task where held_by is not null order by rank limit ${LISTED}`);
  for (const { id, scope } of waiting) {
    const { patterns }: ChangeSet = JSON.parse(scope);
    for (const pattern of patterns) {
      const other = yield* obstacleTo({ key: '', patterns: [pattern] });
      if (other) note({ kind: 'task', id }, other, longer(pattern.pattern, other.path));
    }
  }
  return [...found.values()];
}

interface Clash {
  readonly blocker: Blocker;
  /** Of a session; a task that runs has none. */
  readonly place?: Place;
}

/** Who clashes with these entries of a session, first in line first. */
function* clashesOf(session: string, patterns: readonly PlanPattern[]): Rule<Clash[]> {
  const clashes: Clash[] = [];
  for (const pattern of patterns) {
    const others: Obstacle[] = yield* clashesWith(pattern);
    for (const { kind, id, path } of others) {
      if (isSame({ kind, id }, holderOf(session))) continue;
      const place = kind === 'session' ? yield* placeOf(id) : undefined;
      if (kind === 'session' && !place) continue;
      const blocker = {
        kind,
        id,
        status: place?.status ?? ('running' as const),
        path: pathWords(longer(pattern.pattern, path)),
      };
      if (clashes.some((known) => isSame(known.blocker, blocker) && known.blocker.path === blocker.path))
        continue;
      clashes.push({ blocker, ...(place ? { place } : {}) });
    }
  }
  return clashes.sort((a, b) => before(a, b) || (a.blocker.path < b.blocker.path ? -1 : 1));
}

function before({ place: a }: Clash, { place: b }: Clash): number {
  if (!a || !b) return Number(Boolean(a)) - Number(Boolean(b));
  return isBefore(a, b) ? -1 : Number(isBefore(b, a));
}

function* placeOf(session: string): Rule<Place | undefined> {
  const [place] = yield* all<Place>(
    sql`select priority, seq, status from plan_session where id = ${session}`,
  );
  return place;
}

function holderOf(session: string): Holder {
  return { kind: 'session', id: session };
}

/** Of two entries that clash the one that says more about where. */
function longer(a: string, b: string): string {
  return b.length > a.length ? b : a;
}

function inOrder(a: Holder, b: Holder): number {
  return a.kind === b.kind ? (a.id < b.id ? -1 : 1) : a.kind < b.kind ? -1 : 1;
}
