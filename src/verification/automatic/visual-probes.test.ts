import { existsSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderWith, putIn, realPrograms } from '../testing.ts';
import { readContract } from './contract.ts';
import { readPng } from './png.ts';
import { runProbes } from './visual-probes.ts';

type Pixel = readonly [number, number, number];

/** A PNG whose rows use the filters in turn, as encoders do. */
function png(width: number, height: number, pixel: (x: number, y: number) => Pixel): Buffer {
  const stride = width * 3;
  const plain = Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_unused, x) => pixel(x, y)).flat(),
  );
  const rows = plain.map((row, y) => {
    const filter = y % 5;
    const coded = row.map((value, x) => {
      const left = row[x - 3] ?? 0;
      const up = plain[y - 1]?.[x] ?? 0;
      const corner = x < 3 ? 0 : (plain[y - 1]?.[x - 3] ?? 0);
      const nearest = [left, up, corner].toSorted(
        (a, b) => Math.abs(left + up - corner - a) - Math.abs(left + up - corner - b),
      );
      const guess = [0, left, up, (left + up) >> 1, nearest[0] ?? 0][filter] ?? 0;
      return (value - guess) & 0xff;
    });
    return [filter, ...coded];
  });
  expect(rows.every((row) => row.length === stride + 1)).toBe(true);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const parts = [
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

const scene = (x: number, y: number): Pixel => [(x * 37) % 256, (y * 91) % 256, (x * y) % 256];

let root: string;
beforeEach(() => {
  root = folderWith({});
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function take(command: string, more: object = {}) {
  const probe = { id: 'p', captureCommand: command, imagePath: 'frame.png', skipExitCodes: [77], ...more };
  putIn(root, 'contract.json', JSON.stringify({ visualProbes: [probe] }));
  const probes = readContract(root, 'contract.json').visualProbes;
  return (await runProbes({ probes, root, changed: ['a'], denied: [] }, realPrograms(root).run))[0];
}

const show = (picture: Buffer, more: object = {}) => {
  writeFileSync(join(root, 'taken.png'), picture);
  return take('cp taken.png frame.png', more);
};

describe('visual probes', () => {
  it('B-11 an exit code can mean that there is nothing to see, another is a failure', async () => {
    expect(await take('node -e "process.exit(77)"')).toMatchObject({ result: 'skipped' });
    expect(await take('node -e "process.exit(1)"')).toMatchObject({ result: 'failed' });
  });

  it('B-11 an old picture, or none, is a failure', async () => {
    expect(await take('node -v')).toMatchObject({ result: 'failed', reason: 'frame.png was not made' });
    putIn(root, 'frame.png', 'x');
    utimesSync(join(root, 'frame.png'), 1000, 1000);
    expect(await take('node -v')).toMatchObject({ result: 'failed', reason: 'frame.png is an old picture' });
  });

  it('B-11 a picture that shows something passes', async () => {
    expect(await show(png(20, 15, scene))).toMatchObject({
      result: 'passed',
      reason: expect.stringContaining('shows something') as string,
    });
  });

  it('B-11 an empty, a black and an even frame fail', async () => {
    const failed = (reason: string) => ({
      result: 'failed',
      reason: expect.stringContaining(reason) as string,
    });
    expect(await show(png(9, 9, () => [0, 0, 0]))).toMatchObject(failed('empty frame'));
    const clearColor = [10, 20, 200];
    expect(
      await show(
        png(9, 9, () => [10, 20, 200]),
        { clearColor },
      ),
    ).toMatchObject(failed('empty frame'));
    expect(
      await show(
        png(9, 9, (x) => [x, 0, x]),
        { clearTolerance: 0 },
      ),
    ).toMatchObject(failed('nearly black'));
    expect(await show(png(9, 9, () => [90, 90, 90]))).toMatchObject(failed('same brightness'));
  });

  it('B-11 what cannot be read is not judged', async () => {
    expect(await show(Buffer.from('no png'))).toMatchObject({
      result: 'passed',
      reason: expect.stringContaining('not be judged') as string,
    });
    expect(readPng(png(9, 9, scene).subarray(0, 60))).toBeUndefined();
  });

  it('B-11 an id or a picture that leads out of its folder is refused, and nothing is run for it', async () => {
    const outside = folderWith({});
    const started = join(root, 'started');
    putIn(
      root,
      'capture.js',
      "for (const f of ['started', 'frame.png']) require('fs').writeFileSync(f, 'x');",
    );
    const refused = (more: object) => take('node capture.js', more);
    symlinkSync(outside, join(root, 'away'));
    for (const more of [
      { id: '../p' },
      { id: 'a/b' },
      { id: '..' },
      { imagePath: '../frame.png' },
      { imagePath: '/tmp/frame.png' },
      { imagePath: 'away/frame.png' },
    ])
      expect([more, (await refused(more))?.result]).toEqual([more, 'failed']);
    expect(existsSync(started)).toBe(false);
    rmSync(outside, { recursive: true });
  });

  it('B-11 a command that puts a link in the place of its picture shows nothing', async () => {
    const outside = folderWith({ 'secret.png': 'x' });
    const result = await take(`ln -s ${outside}/secret.png frame.png`);
    expect(result).toMatchObject({ result: 'failed', reason: 'frame.png leads out of the project' });
    rmSync(outside, { recursive: true });
  });

  it('reads every filter of the format', () => {
    const picture = readPng(png(7, 10, scene));
    const expected = Array.from({ length: 70 }, (_, at) => scene(at % 7, Math.floor(at / 7))).flat();
    expect([...(picture?.pixels ?? [])]).toEqual(expected);
  });
});
