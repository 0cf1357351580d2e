import { closeSync, fstatSync, mkdirSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JsonObject } from '../../kernel/json.ts';
import { openPlain } from '../../process/plain-file.ts';
import type { OpenProject } from '../open.ts';

const MOST_BYTES = 5 * 1024 * 1024;

/** Notes who called the server: lines of JSON in two files that never grow beyond their size. */
export class AccessLog {
  readonly file: string;
  #fd: number | undefined;
  #bytes = 0;

  constructor(folder: string) {
    this.file = join(folder, 'logs', 'ui-access.jsonl');
  }

  note(access: JsonObject, at: number = Date.now()): void {
    const line = `${JSON.stringify({ at: new Date(at).toISOString(), ...access })}\n`;
    try {
      if (this.#fd !== undefined && this.#bytes + line.length > MOST_BYTES) this.#turn();
      this.#fd ??= this.#open();
      this.#bytes += writeSync(this.#fd, line);
    } catch {
      // A full disk must not make the server useless for whoever wants to free it.
      this.close();
    }
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #open(): number {
    mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 });
    const fd = openPlain(this.file, 'a');
    this.#bytes = fstatSync(fd).size;
    return fd;
  }

  #turn(): void {
    this.close();
    renameSync(this.file, `${this.file}.1`);
  }
}

/** The access log of a project. */
export async function accessLog({ project }: OpenProject): Promise<AccessLog> {
  return new AccessLog(project.folder);
}
