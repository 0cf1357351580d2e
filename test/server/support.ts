import { onTestFinished } from 'vitest';
import { type Answer, type Asking, ask } from '../../src/server/testing.ts';
import { type Place, start } from '../cli/support.ts';

export interface Ui {
  readonly port: number;
  readonly bearer: string;
  readonly server: ReturnType<typeof start>;
  readonly call: (path: string, asking?: Asking) => Promise<Answer>;
  readonly post: (path: string, body?: object) => Promise<Answer>;
}

/** The real command on a port that the system chose, ended with the test. */
export async function ui(place: Place, ...options: string[]): Promise<Ui> {
  const server = start(['ui', '--port', '0', '--json', ...options], place);
  let said = '';
  server.child.stdout?.on('data', (text: string) => {
    said += text;
  });
  await server.saw('"port":');
  const port = Number(/"port":(\d+)/.exec(said)?.[1]);
  const asked = await start(['ui', '--bearer'], place).ended;
  if (asked.code !== 0) throw new Error(`no token: ${asked.stderr}`);
  const bearer = asked.stdout.trim();
  onTestFinished(async () => {
    server.child.kill('SIGTERM');
    await server.ended;
  });
  const call = (path: string, { headers, ...rest }: Asking = {}) =>
    ask(port, `/api/v1${path}`, { ...rest, headers: { authorization: `Bearer ${bearer}`, ...headers } });
  return {
    port,
    bearer,
    server,
    call,
    post: (path, body = {}) => call(path, { method: 'POST', body }),
  };
}
