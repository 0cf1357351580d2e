import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { call } from '../../api/call.ts';
import { askAgain, useRoute } from '../../api/use-route.ts';
import { useMe } from '../../frame/me.ts';
import { useTopic } from '../../live/use-live.ts';
import { CopyCommand } from '../../parts/command.tsx';
import { StatusWord } from '../../parts/status.tsx';
import { When } from '../../parts/time.tsx';
import { Panel, View } from '../../parts/view.tsx';
import { Runtimes } from '../board/runtimes.tsx';

const LEVELS = { good: 'completed', note: 'halted', wrong: 'failed' } as const;
const LOGIN: { readonly [state: string]: string } = {
  seen: 'logged in',
  unseen: 'no login was seen',
  'not-needed': 'needs no login',
};

/** The agents of this machine, who works on the backlog, and what this project is missing. */
export default function Agents(): ReactElement {
  useTopic('agents');
  useTopic('backlog');
  const agents = useRoute('agents');
  const doctor = useRoute('doctor');
  const { readOnly } = useMe();
  const queries = useQueryClient();
  const freeing = useMutation({
    mutationFn: (name: string) => call('unblockAgent', { params: { name }, body: {} }),
    onSuccess: () => askAgain(queries, 'agents'),
  });
  return (
    <div className="stack">
      <h1>Agents</h1>
      <Runtimes />
      <View of={agents}>
        {({ agents: all, blocked }) => (
          <Panel title="On this machine">
            <div className="wide" tabIndex={0} role="region" aria-label="Table">
              <table>
                <thead>
                  <tr>
                    <th>Agent</th>
                    <th>Version</th>
                    <th>Login</th>
                    <th>Modes</th>
                    <th>Quota</th>
                    <th>Program</th>
                  </tr>
                </thead>
                <tbody>
                  {all.map((agent) => {
                    const one = agent as unknown as Agent;
                    const waits = blocked.find(({ agent: name }) => name === one.type);
                    return (
                      <tr key={one.type}>
                        <td>
                          <strong>{one.displayName}</strong>
                          <div className="quiet mono">{one.type}</div>
                        </td>
                        <td>{one.version?.version ?? <span className="quiet">unknown</span>}</td>
                        <td>{LOGIN[one.login.state] ?? one.login.state}</td>
                        <td>{one.modes.join(', ')}</td>
                        <td>
                          {waits ? (
                            <>
                              <StatusWord word="parked" shown="spent" /> until <When at={waits.until} />
                              <div className="quiet">{waits.reason}</div>
                              <button
                                type="button"
                                className="button"
                                disabled={readOnly || freeing.isPending}
                                onClick={() => freeing.mutate(one.type)}
                              >
                                Use it again now
                              </button>
                            </>
                          ) : one.binary ? (
                            'free'
                          ) : (
                            ''
                          )}
                        </td>
                        <td>
                          {one.binary ? (
                            <code>{one.binary.path}</code>
                          ) : (
                            one.problems.map(({ message, next }) => (
                              <div key={message}>
                                {message}
                                <div className="quiet">{next}</div>
                              </div>
                            ))
                          )}
                        </td>
                      </tr>
                    );
                  })}
                </tbody>
              </table>
            </div>
          </Panel>
        )}
      </View>
      <View of={doctor}>
        {({ findings }) => (
          <Panel
            title="What this project needs"
            aside={
              <button type="button" className="button" onClick={() => askAgain(queries, 'doctor', 'agents')}>
                Check again
              </button>
            }
          >
            <ul>
              {findings.map(({ level, what, next }) => (
                <li key={what} className="item">
                  <div className="row">
                    <StatusWord word={LEVELS[level]} shown={level} />
                    <span className="grow">{what}</span>
                  </div>
                  {next?.command === undefined ? (
                    <span className="quiet">{next?.label}</span>
                  ) : (
                    <CopyCommand command={next.command} />
                  )}
                </li>
              ))}
            </ul>
          </Panel>
        )}
      </View>
    </div>
  );
}

interface Agent {
  readonly type: string;
  readonly displayName: string;
  readonly modes: readonly string[];
  readonly version?: { readonly version: string };
  readonly binary?: { readonly path: string };
  readonly login: { readonly state: string };
  readonly problems: readonly { readonly message: string; readonly next: string }[];
}
