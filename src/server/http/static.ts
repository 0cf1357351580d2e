import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { gzipSync } from 'node:zlib';

const TYPES: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};
const FOR_EVER = 'public, max-age=31536000, immutable';
const DOCUMENT = 'index.html';
const SMALL = 2048;

export interface Asset {
  readonly body: Buffer;
  readonly headers: { readonly [name: string]: string };
}

interface File {
  readonly bytes: Buffer;
  readonly zipped: Buffer | undefined;
  readonly headers: { readonly [name: string]: string };
}

/**
 * The files of the web app, all read at the start: what is served is what was listed then, so no address can name a
 * file that is not part of it.
 */
export class StaticFiles {
  readonly #files = new Map<string, File>();

  constructor(folder: string) {
    for (const name of namesIn(folder)) {
      const bytes = readFileSync(join(folder, name));
      const zipped = bytes.length > SMALL ? gzipSync(bytes) : undefined;
      this.#files.set(`/${name.split(sep).join('/')}`, { bytes, zipped, headers: headersOf(name) });
    }
  }

  /** The document stands for every address of the app; undefined for a file that is none of it. */
  find(path: string, { zipped }: { readonly zipped: boolean }): Asset | undefined {
    const file =
      this.#files.get(path) ?? (extname(path) === '' ? this.#files.get(`/${DOCUMENT}`) : undefined);
    if (!file) return extname(path) === '' && this.#files.size === 0 ? NOT_BUILT : undefined;
    if (!zipped || !file.zipped)
      return { body: file.bytes, headers: { ...file.headers, vary: 'accept-encoding' } };
    const headers = { ...file.headers, vary: 'accept-encoding', 'content-encoding': 'gzip' };
    return { body: file.zipped, headers };
  }
}

function headersOf(name: string): { readonly [name: string]: string } {
  const type = TYPES[extname(name)] ?? 'application/octet-stream';
  // A name with the digest of its content never means anything else.
  const isHashed = /[-.][\w-]{8,}\.\w+$/.test(name) && name !== DOCUMENT;
  return { 'content-type': type, 'cache-control': isHashed ? FOR_EVER : 'no-cache' };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  } catch {
    // It was not built; the API works all the same.
    return [];
  }
}

const NOT_BUILT: Asset = {
  body: Buffer.from(
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>loopwright</title><p>The web app was not built. The API is at /api/v1.</p></html>\n',
  ),
  headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
};
