import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { isAbsolute, join, normalize } from 'node:path';
import { errorCode, UsageError } from '../../kernel/errors.ts';
import { isJsonObject } from '../../kernel/json.ts';
import { readPlain, readPlainIfThere } from '../../process/plain-file.ts';
import { OWN_FILE, SHARED_FILE, STATE_FOLDER } from '../config-file.ts';
import { isStateName } from '../state-names.ts';

/** A file of the project that says what is run or how, by its path in it. */
export interface SteeringFile {
  readonly path: string;
  readonly digest: string;
}

/** Outside of `.loopwright/`: what we read there, and what makes an agent start programs when it begins. */
const ELSEWHERE = [
  SHARED_FILE,
  '.opentiger/verify.contract.json',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.mcp.json',
  '.codex/config.toml',
  '.gemini/settings.json',
  'opencode.json',
  'opencode.jsonc',
  '.opencode/opencode.json',
  '.qwen/settings.json',
  '.pi/settings.json',
  '.continue/config.yaml',
  '.github/copilot/settings.json',
  '.github/mcp.json',
  '.vscode/mcp.json',
];

/** So many are not read before every run; a folder like that is no configuration. */
const MOST_FILES = 2000;

/** Everything in the project that can run or steer something, each with what is in it now. */
export function steeringFiles(projectDir: string): SteeringFile[] {
  const own = filesBelow(projectDir, STATE_FOLDER);
  const named = namedByConfiguration(projectDir);
  const elsewhere = [...new Set([...ELSEWHERE, ...named])].filter((path) => !own.includes(path));
  return [
    ...own.map((path) => ({ path, digest: digestOf(readPlain(join(projectDir, path))) })),
    ...elsewhere.flatMap((path) => {
      const content = readElsewhere(join(projectDir, path));
      return content === undefined ? [] : [{ path, digest: digestOf(content) }];
    }),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** One digest for all of them: another name or another byte is another digest. */
export function digestOfFiles(files: readonly SteeringFile[]): string {
  return digestOf(files.map(({ path, digest }) => `${digest} ${JSON.stringify(path)}\n`).join(''));
}

function filesBelow(projectDir: string, top: string): string[] {
  const found: string[] = [];
  const folders = [top];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(join(projectDir, folder))) {
      const path = `${folder}/${entry.name}`;
      if (folder === top && isStateName(entry.name)) continue;
      if (entry.isDirectory()) folders.push(path);
      else found.push(path);
      if (found.length > MOST_FILES) throw tooMany(join(projectDir, top));
    }
  }
  return found;
}

/** The workflow and the contract that the configuration names, where they are files of the project. */
function namedByConfiguration(projectDir: string): string[] {
  return [SHARED_FILE, OWN_FILE].flatMap((file) => {
    const text = readElsewhere(join(projectDir, file));
    const config = text === undefined ? undefined : parsed(text);
    if (!isJsonObject(config)) return [];
    const verify = isJsonObject(config['verify']) ? config['verify'] : {};
    return [config['workflow'], verify['contract']]
      .flatMap((path) =>
        typeof path === 'string' && path !== '' && !isAbsolute(path) ? [normalize(path)] : [],
      )
      .filter((path) => !path.startsWith('..'));
  });
}

/** A file that cannot be parsed steers nothing, and whoever uses it says what is wrong with it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A folder of that name, or a name below a file, is no file that anything is read from. */
function readElsewhere(file: string): string | undefined {
  try {
    return readPlainIfThere(file);
  } catch (error) {
    if (errorCode(error) === 'EISDIR' || errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}

function digestOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function tooMany(folder: string): UsageError {
  return new UsageError(`${folder} has more than ${MOST_FILES} files that are not ours.`, {
    next: 'Move what is no configuration out of it.',
  });
}
