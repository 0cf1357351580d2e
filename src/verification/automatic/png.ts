import { inflateSync } from 'node:zlib';

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  /** One byte per channel, rows from top to bottom. */
  readonly pixels: Buffer;
}

const SIGNATURE = '89504e470d0a1a0a';
/** Channels per colour type: grey, RGB, grey with alpha, RGBA. A palette is not read. */
const CHANNELS: { readonly [type: number]: number } = { 0: 1, 2: 3, 4: 2, 6: 4 };
const LARGEST = 1 << 28;

/** Reads a PNG of 8 bits per channel that is not interlaced; undefined for everything else. */
export function readPng(file: Buffer): Picture | undefined {
  if (file.subarray(0, 8).toString('hex') !== SIGNATURE) return undefined;
  const chunks = chunksOf(file);
  const header = chunks.find(({ type }) => type === 'IHDR')?.data;
  if (!header || header.length < 13) return undefined;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const channels = CHANNELS[header[9] ?? -1];
  const plain = header[8] === 8 && header[12] === 0;
  if (channels === undefined || !plain || width * height * channels > LARGEST) return undefined;
  try {
    const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
    const rows = inflateSync(packed, { maxOutputLength: (width * channels + 1) * height });
    return { width, height, channels, pixels: unfiltered(rows, width * channels, height, channels) };
  } catch {
    // Cut off or not compressed as it should be: no picture that could be judged.
    return undefined;
  }
}

function chunksOf(file: Buffer): { type: string; data: Buffer }[] {
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = 8; at + 8 <= file.length; ) {
    const length = file.readUInt32BE(at);
    chunks.push({
      type: file.toString('latin1', at + 4, at + 8),
      data: file.subarray(at + 8, at + 8 + length),
    });
    at += length + 12;
  }
  return chunks;
}

/** Every row is stored as a difference from its neighbours; the first byte of a row says from which. */
function unfiltered(rows: Buffer, stride: number, height: number, step: number): Buffer {
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x < step ? 0 : (pixels[at - step] ?? 0);
      const up = y === 0 ? 0 : (pixels[at - stride] ?? 0);
      const corner = x < step || y === 0 ? 0 : (pixels[at - stride - step] ?? 0);
      const raw = rows[y * (stride + 1) + 1 + x] ?? 0;
      pixels[at] = (raw + prediction(filter, left, up, corner)) & 0xff;
    }
  }
  return pixels;
}

function prediction(filter: number | undefined, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const [toLeft, toUp] = [Math.abs(up - corner), Math.abs(left - corner)];
  const toCorner = Math.abs(left + up - 2 * corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
