import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * Runs inside a sandbox that has no network but its own loopback: gives the program a proxy there, and the ports of
 * allowed servers of this machine under their own numbers. Both lead through the one socket that was put into the
 * sandbox, to the proxy on the other side of the wall.
 */
const [socketPath = '', ports = '', program = '', ...args] = process.argv.slice(2);

/** Nothing that fails on the way of one connection may end the program. */
function quiet(socket: Socket): Socket {
  return socket.on('error', () => socket.destroy());
}

function pipeThrough(inner: Socket, opening: string | undefined): void {
  const outer = quiet(connect(socketPath));
  quiet(inner);
  inner.once('close', () => outer.destroy());
  outer.once('close', () => inner.destroy());
  if (opening === undefined) {
    inner.pipe(outer).pipe(inner);
    return;
  }
  outer.write(opening);
  outer.once('data', (answer: Buffer) => {
    if (!answer.toString('latin1').startsWith('HTTP/1.1 200')) inner.destroy();
    else inner.pipe(outer).pipe(inner);
  });
}

async function listen(port: number, opening?: string): Promise<Server> {
  const server = createServer((inner) => pipeThrough(inner, opening));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

for (const port of ports.split(',').filter((text) => text !== '')) {
  await listen(Number(port), `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
}
const proxy = `http://127.0.0.1:${((await listen(0)).address() as AddressInfo).port}`;
const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'];
const proxied = [...names, ...names.map((name) => name.toLowerCase())].map((name) => [name, proxy]);
const direct = '127.0.0.1,localhost,::1';
const env = {
  ...process.env,
  ...Object.fromEntries(proxied),
  NO_PROXY: direct,
  no_proxy: direct,
  NODE_USE_ENV_PROXY: '1',
};
const child = spawn(program, args, { stdio: 'inherit', env });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) {
  process.on(signal, () => child.kill(signal));
}
child.once('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(127);
});
child.once('exit', (code, signal) => {
  if (signal === null) process.exit(code ?? 1);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
