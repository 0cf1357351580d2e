import type { ReactElement } from 'react';
import { useSearchParams } from 'wouter';
import { useRoute } from '../../api/use-route.ts';
import { dollars, Money, short } from '../../parts/money.tsx';
import { Empty, Panel, View } from '../../parts/view.tsx';
import { Fact } from '../inbox/now.tsx';

const BY = ['day', 'agent', 'workflow', 'task', 'session'] as const;
type By = (typeof BY)[number];
const DAYS = [1, 7, 30, 90];

function byIn(search: URLSearchParams): By {
  return BY.find((one) => one === search.get('by')) ?? 'day';
}

/** What was spent, on what, and what is left of the budgets. */
export default function Costs(): ReactElement {
  const [search, setSearch] = useSearchParams();
  const by = byIn(search);
  const days = Number(search.get('days') ?? 30);
  const costs = useRoute('costs', { query: { by, days } });
  const budget = useRoute('budget');
  const set = (name: string, value: string) =>
    setSearch({ by, days: String(days), [name]: value }, { replace: true });
  return (
    <div className="stack">
      <div className="row">
        <h1 className="grow">Costs</h1>
        <div className="chips">
          {BY.map((one) => (
            <button
              key={one}
              type="button"
              className="chip"
              aria-pressed={by === one}
              onClick={() => set('by', one)}
            >
              by {one}
            </button>
          ))}
        </div>
        <div className="chips">
          {DAYS.map((one) => (
            <button
              key={one}
              type="button"
              className="chip"
              aria-pressed={days === one}
              onClick={() => set('days', String(one))}
            >
              {one === 1 ? 'today' : `${one} days`}
            </button>
          ))}
        </div>
      </div>
      <View of={budget}>
        {({ today, project }) => (
          <Panel title="Budgets">
            <dl className="facts body">
              <Fact name="Today">
                {dollars(today.spent.usd)}
                {today.most.usd === undefined ? '' : ` of ${dollars(today.most.usd)}`}
              </Fact>
              <Fact name="Project">
                {dollars(project.spent.usd)}
                {project.most.usd === undefined ? '' : ` of ${dollars(project.most.usd)}`}
              </Fact>
              <Fact name="Runs today">{today.spent.runs}</Fact>
            </dl>
          </Panel>
        )}
      </View>
      <View of={costs}>
        {({ rows, total, unread }) => (
          <Panel
            title={
              <>
                {dollars(total.usd)} · {short(total.tokens)} tokens · {total.steps} steps
              </>
            }
          >
            {rows.length === 0 ? <Empty>Nothing was spent.</Empty> : <Bars rows={rows} />}
            {unread.length === 0 ? null : (
              <p className="body quiet">{unread.length} sessions cannot be read and are not counted.</p>
            )}
          </Panel>
        )}
      </View>
    </div>
  );
}

interface Row {
  readonly key: string;
  readonly usd: number;
  readonly tokens: number;
  readonly steps: number;
  readonly estimated: boolean;
}

/** The table is the chart: each row has its bar. */
function Bars({ rows }: { readonly rows: readonly Row[] }): ReactElement {
  const most = Math.max(...rows.map(({ usd, tokens }) => usd || tokens / 1e9), Number.MIN_VALUE);
  return (
    <table>
      <thead>
        <tr>
          <th>What</th>
          <th style={{ width: '40%' }}>Share</th>
          <th className="number">Cost</th>
          <th className="number">Tokens</th>
          <th className="number">Steps</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, usd, tokens, steps, estimated }) => (
          <tr key={key}>
            <td>{key === '' ? <span className="quiet">not attributed</span> : key}</td>
            <td>
              <div
                className="took"
                style={{ width: `${((usd || tokens / 1e9) / most) * 100}%`, height: 8 }}
              />
            </td>
            <td>
              <Money usd={usd} estimated={estimated} />
            </td>
            <td className="number">{short(tokens)}</td>
            <td className="number">{steps}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
