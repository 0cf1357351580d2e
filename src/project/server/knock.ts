import { closeSync, openSync } from 'node:fs';
import { connect } from 'node:net';
import { DeniedError, errorCode } from '../../kernel/errors.ts';
import { isJsonObject } from '../../kernel/json.ts';
import { readLines, writeLine } from '../../orchestrator/control/protocol.ts';

const LONGEST = 4096;
const PATIENCE_MS = 5000;

/** Shows who asks, and gives what was asked for; undefined when nobody is behind the door. */
export function askDoor(
  path: string,
  asked: { readonly key: string; readonly request: string },
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    let held: number | undefined;
    const done = (): void => {
      if (held !== undefined) closeSync(held);
      held = undefined;
    };
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    socket.on('error', (error) => {
      if (errorCode(error) === undefined) return reject(error);
      return resolve(undefined);
    });
    socket.on('close', () => {
      done();
      resolve(undefined);
    });
    readLines(socket, LONGEST, (line) => {
      const said: unknown = JSON.parse(line);
      if (!isJsonObject(said)) return socket.destroy();
      if (typeof said['proof'] === 'string') {
        // Held open until it is answered: that is what shows which process asks.
        held = openSync(said['proof'], 'r');
        return writeLine(socket, { ...asked, pid: process.pid });
      }
      if (typeof said['problem'] === 'string')
        return reject(new DeniedError(said['problem'], { next: 'Do it in a terminal of your own.' }));
      return resolve(typeof said['answer'] === 'string' ? said['answer'] : undefined);
    });
  });
}
