import type { Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';

/** Reads a socket line by line; a line that is longer than allowed closes it. */
export function readLines(socket: Socket, longest: number, onLine: (line: string) => void): void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  socket.on('data', (chunk: Buffer) => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
    if (rest.length > longest) socket.destroy();
  });
}

export function writeLine(socket: Socket, value: object): void {
  if (!socket.destroyed) socket.write(`${JSON.stringify(value)}\n`);
}
