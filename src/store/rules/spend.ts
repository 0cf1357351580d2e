import {
  type Amounts,
  type BeginningRun,
  type Cap,
  NOTHING,
  type Reached,
  reachedCap,
  type SpendState,
} from '../../backlog/spend.ts';
import type { ProcessIdentity } from '../../kernel/process-identity.ts';
import { all, type Rule, run, sql } from './say.ts';

/** By so many runs that ended it is judged what one uses. */
const JUDGED_BY = 20;

export interface Beginning extends BeginningRun {
  readonly at: number;
  readonly owner: ProcessIdentity;
  readonly isGone: (owner: ProcessIdentity) => boolean;
}

export function* beginRun(start: Beginning): Rule<Reached | undefined> {
  const { run: id, day, caps, budget, at, owner, isGone } = start;
  const [known] = yield* all(sql`select run from spend_run where run = ${id} and day = ${day}`);
  const own = {
    usd: budget.usd ?? (yield* usual('usd')),
    tokens: budget.tokens ?? (yield* usual('tokens')),
    runs: known === undefined ? 1 : 0,
  };
  yield* run(sql`update spend_run set open = 0 where run = ${id}`);
  const reached = reachedCap(yield* spendState(day, isGone), caps, own);
  if (reached) return reached;
  yield* run(sql`insert into spend_run (run, day, at, open, usd, tokens, host, pid, start_time)
    values (${id}, ${day}, ${at}, 1, ${own.usd}, ${own.tokens}, ${owner.host}, ${owner.pid}, ${owner.startTime})
    on conflict (run, day) do update set open = 1, usd = excluded.usd, tokens = excluded.tokens,
      host = excluded.host, pid = excluded.pid, start_time = excluded.start_time`);
  return undefined;
}

/** The median of what the last runs used; nothing where there were none. */
function* usual(unit: 'usd' | 'tokens'): Rule<number> {
  const rows = yield* all<{ usd: number; tokens: number }>(sql`
    select sum(spend.usd) as usd, sum(spend.tokens) as tokens from spend
    where run in (select run from spend_run where open = 0 order by at desc limit ${JUDGED_BY})
    group by run`);
  const sorted = rows.map((row) => row[unit]).sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

interface Used {
  readonly run: string;
  readonly day: string;
  readonly at: number;
  readonly usd: number;
  readonly tokens: number;
}

export function* addSpend({ run: id, day, at, usd, tokens }: Used): Rule<void> {
  yield* run(
    sql`insert into spend (run, day, at, usd, tokens) values (${id}, ${day}, ${at}, ${usd}, ${tokens})`,
  );
}

export function* endRun(id: string): Rule<void> {
  yield* run(sql`update spend_run set open = 0 where run = ${id}`);
}

export function* raiseDay(day: string, at: number, { usd = 0, tokens = 0, runs = 0 }: Cap): Rule<void> {
  yield* run(sql`insert into spend_raise (day, at, usd, tokens, runs)
    values (${day}, ${at}, ${usd}, ${tokens}, ${runs})`);
}

export function* spendState(day: string, isGone: (owner: ProcessIdentity) => boolean): Rule<SpendState> {
  const [today] =
    yield* all<Amounts>(sql`select coalesce(sum(usd), 0) as usd, coalesce(sum(tokens), 0) as tokens,
    (select count(*) from spend_run where day = ${day}) as runs from spend where day = ${day}`);
  const [project] = yield* all<Amounts>(sql`select coalesce(sum(usd), 0) as usd,
    coalesce(sum(tokens), 0) as tokens, (select count(*) from spend_run) as runs from spend`);
  const [raised] = yield* all<Amounts>(sql`select coalesce(sum(usd), 0) as usd,
    coalesce(sum(tokens), 0) as tokens, coalesce(sum(runs), 0) as runs from spend_raise where day = ${day}`);
  return {
    day,
    today: today ?? NOTHING,
    project: project ?? NOTHING,
    raised: raised ?? NOTHING,
    reserved: yield* reservedNow(isGone),
  };
}

interface Open extends Used {
  readonly host: string;
  readonly pid: number;
  readonly start_time: string;
  readonly spent_usd: number;
  readonly spent_tokens: number;
}

/** What those at work may still use; a process that is gone uses nothing more. */
function* reservedNow(isGone: (owner: ProcessIdentity) => boolean): Rule<Amounts> {
  const rows = yield* all<Open>(sql`select spend_run.*,
      (select coalesce(sum(usd), 0) from spend where spend.run = spend_run.run) as spent_usd,
      (select coalesce(sum(tokens), 0) from spend where spend.run = spend_run.run) as spent_tokens
    from spend_run where open = 1`);
  const alive = rows.filter(({ host, pid, start_time: startTime }) => !isGone({ host, pid, startTime }));
  return {
    usd: alive.reduce((sum, row) => sum + Math.max(0, row.usd - row.spent_usd), 0),
    tokens: alive.reduce((sum, row) => sum + Math.max(0, row.tokens - row.spent_tokens), 0),
    runs: 0,
  };
}
