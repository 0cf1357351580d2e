import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { shellWord } from '../../../../src/kernel/shell-word.ts';
import { bytes } from '../../../../src/kernel/words.ts';
import { useRoute } from '../../api/use-route.ts';
import { useTopic } from '../../live/use-live.ts';
import { CopyButton } from '../../parts/command.tsx';
import { Empty, Panel, View } from '../../parts/view.tsx';
import { Clashes } from './clashes.tsx';
import { Collect } from './collect.tsx';

interface Row {
  readonly id: string;
  readonly path: string;
  readonly branch: string;
  readonly health: string;
  readonly uncommitted: number;
  readonly unmerged: number;
  readonly bytes: number;
  readonly lock?: string;
}

/** Where work is kept on the disk, how much of it, and what can go. */
export default function Worktrees(): ReactElement {
  useTopic('plans');
  const worktrees = useRoute('worktrees');
  const disk = useRoute('disk');
  return (
    <div className="stack">
      <h1>Worktrees and disk</h1>
      <View of={worktrees}>
        {({ worktrees: all }) => (
          <Panel title={`Worktrees · ${all.length}`}>
            <Collect />
            {all.length === 0 ? <Empty>No worktree is kept.</Empty> : null}
            <div className="wide" tabIndex={0} role="region" aria-label="Table">
              <table>
                <thead>
                  <tr>
                    <th>Of</th>
                    <th>Branch</th>
                    <th>Health</th>
                    <th className="number">Uncommitted</th>
                    <th className="number">Unmerged</th>
                    <th className="number">Size</th>
                    <th>Folder</th>
                  </tr>
                </thead>
                <tbody>
                  {(all as unknown as readonly Row[]).map((row) => (
                    <tr key={row.id}>
                      <td className="mono">
                        {row.id.startsWith('task-') ? (
                          <Link href={`/tasks/${row.id.slice(5)}`}>task {row.id.slice(-6)}</Link>
                        ) : (
                          <Link href={`/sessions/${row.id}`}>{row.id.slice(-6)}</Link>
                        )}
                      </td>
                      <td className="mono">{row.branch}</td>
                      <td>
                        {row.health}
                        {row.lock === undefined ? '' : `, locked: ${row.lock}`}
                      </td>
                      <td className="number">{row.uncommitted}</td>
                      <td className="number">{row.unmerged}</td>
                      <td className="number">{bytes(row.bytes)}</td>
                      <td>
                        <CopyButton
                          text={`cd ${shellWord(row.path)}`}
                          label={`Copy the command that goes to ${row.path}`}
                        />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </Panel>
        )}
      </View>
      <Clashes />
      <View of={disk}>
        {({ disk: rows }) => (
          <Panel title="On the disk">
            <table>
              <tbody>
                {rows.map(({ what, count, bytes: size }) => (
                  <tr key={what}>
                    <td>{what}</td>
                    <td className="number">{count}</td>
                    <td className="number">{size === undefined ? '' : bytes(size)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Panel>
        )}
      </View>
    </div>
  );
}
