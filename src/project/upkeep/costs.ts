import { LoopwrightError } from '../../kernel/errors.ts';
import { isJsonObject } from '../../kernel/json.ts';
import { isGenuine } from '../../manifest/origin.ts';
import type { JournalRecord } from '../../orchestrator/state/record.ts';
import { segmentsOf } from '../../orchestrator/state/stored-segments.ts';
import type { OpenProject } from '../open.ts';

export interface CostsRequest {
  /** Milliseconds since 1970; only what was used then. */
  readonly from?: number;
  readonly to?: number;
  readonly by?: 'day' | 'agent' | 'workflow' | 'task' | 'session';
}

export interface CostRow {
  /** A day (of this machine), an agent, a workflow, a task or a session. */
  readonly key: string;
  readonly usd: number;
  readonly tokens: number;
  readonly steps: number;
  /** Part of the price was estimated. */
  readonly estimated: boolean;
}

export interface Costs {
  readonly by: NonNullable<CostsRequest['by']>;
  readonly total: { readonly usd: number; readonly tokens: number; readonly steps: number };
  readonly rows: readonly CostRow[];
  /** Sessions whose journals cannot be read: what they cost is not in it. */
  readonly unread: readonly string[];
}

/** What one step used, with everything it can be summed by. */
interface Spent {
  readonly at: number;
  readonly usd: number;
  readonly tokens: number;
  readonly agent: string;
  readonly estimated: boolean;
}

/** What was used in steps that ended, from the journals alone. */
export async function costs(
  { sessions }: OpenProject,
  { from = 0, to = Number.POSITIVE_INFINITY, by = 'day' }: CostsRequest = {},
): Promise<Costs> {
  const rows = new Map<string, { usd: number; tokens: number; steps: number; estimated: boolean }>();
  const total = { usd: 0, tokens: 0, steps: 0 };
  const unread: string[] = [];
  for (const id of sessions.ids()) {
    try {
      const { workflow = '', task } = sessions.summary(id);
      for (const spent of spentOf(sessions.records(id).records)) {
        if (spent.at < from || spent.at > to) continue;
        const key = { day: dayOf(spent.at), agent: spent.agent, workflow, task: task?.id ?? '', session: id }[
          by
        ];
        const row = rows.get(key) ?? { usd: 0, tokens: 0, steps: 0, estimated: false };
        for (const sum of [row, total]) {
          sum.usd += spent.usd;
          sum.tokens += spent.tokens;
          sum.steps++;
        }
        row.estimated ||= spent.estimated;
        rows.set(key, row);
      }
    } catch (error) {
      if (!(error instanceof LoopwrightError)) throw error;
      unread.push(id);
    }
  }
  const sorted = [...rows].map(([key, row]) => ({ key, ...row }));
  sorted.sort((a, b) => (by === 'day' ? a.key.localeCompare(b.key) : b.usd - a.usd || b.tokens - a.tokens));
  return { by, total, rows: sorted, unread };
}

function* spentOf(records: readonly JournalRecord[]): Generator<Spent> {
  let used = { usd: 0, tokens: 0 };
  for (const record of records) {
    if (record.t === 'usage') {
      used = { usd: used.usd + (record.usd ?? 0), tokens: used.tokens + (record.tokens ?? 0) };
    } else if (record.t === 'step') {
      const paid = used.usd > 0 || used.tokens > 0;
      yield { at: record.at, ...used, ...(paid ? whoIn(record.added) : { agent: '', estimated: false }) };
      used = { usd: 0, tokens: 0 };
    }
  }
}

function whoIn(added: Parameters<typeof segmentsOf>[0]): { agent: string; estimated: boolean } {
  const run = segmentsOf(added).findLast((segment) => isGenuine(segment, 'AGENT_RUN'));
  const content = run && isJsonObject(run.content) ? run.content : {};
  const { agent, estimated } = content;
  return { agent: typeof agent === 'string' ? agent : '', estimated: estimated === true };
}

const two = (n: number): string => String(n).padStart(2, '0');

function dayOf(at: number): string {
  const day = new Date(at);
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
