import { isJsonObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import type { ModelTool } from '../../models/call.ts';
import { listTree } from '../../workspace/list-tree.ts';
import { readInTree } from '../../workspace/tree-reader.ts';

const MOST_LISTED = 500;
const MOST_LINES = 400;
const MOST_FOUND = 100;
const MOST_SEARCHED = 5000;
const LONGEST_LINE = 400;

/** What a model may look at the project with. Nothing of it changes a file, starts a program or leaves the tree. */
export function projectTools(worktree: string): readonly ModelTool[] {
  return [
    {
      name: 'list_files',
      description: 'Lists the files of the project, those that git ignores left out.',
      input: schema({ folder: text('Only what is below this folder.') }, []),
      use: async ({ folder }) => listed(await filesBelow(worktree, folder)),
    },
    {
      name: 'read_file',
      description: `Shows a file of the project, ${MOST_LINES} lines at a time, each with its number.`,
      input: schema(
        { path: text('The path from the top of the project.'), from: number('The first line.') },
        ['path'],
      ),
      use: ({ path, from }) => shown(worktree, path, from),
    },
    {
      name: 'search_files',
      description: 'Finds lines that hold a text, exactly as it is given, in the files of the project.',
      input: schema({ text: text('What to look for.'), folder: text('Only below this folder.') }, ['text']),
      use: ({ text: wanted, folder }) => found(worktree, wanted, folder),
    },
  ];
}

async function filesBelow(worktree: string, folder: JsonValue | undefined): Promise<string[]> {
  const start = typeof folder === 'string' ? folder.replace(/^\.?\/+|\/+$/g, '') : '';
  const paths = (await listTree(worktree)).map((path) => Buffer.from(path, 'latin1').toString('utf8'));
  const below = start === '' || start === '.' ? paths : paths.filter((path) => path.startsWith(`${start}/`));
  return below.toSorted();
}

function listed(paths: readonly string[]): string {
  if (paths.length === 0) return 'There is no such file.';
  const rest = paths.length - MOST_LISTED;
  const lines = paths.slice(0, MOST_LISTED);
  return [...lines, ...(rest > 0 ? [`[${rest} more: name a folder]`] : [])].join('\n');
}

async function shown(
  worktree: string,
  path: JsonValue | undefined,
  from: JsonValue | undefined,
): Promise<string> {
  if (typeof path !== 'string') return 'Name a file.';
  const content = await contentOf(worktree, path);
  if (content === undefined) return `There is no file ${path} that could be read.`;
  const lines = content.split('\n');
  const first = typeof from === 'number' && from > 1 ? Math.floor(from) : 1;
  const part = lines.slice(first - 1, first - 1 + MOST_LINES);
  const rest = lines.length - (first - 1 + part.length);
  const numbered = part.map((line, index) => `${first + index}\t${line}`);
  return [...numbered, ...(rest > 0 ? [`[${rest} more lines]`] : [])].join('\n');
}

async function found(
  worktree: string,
  wanted: JsonValue | undefined,
  folder: JsonValue | undefined,
): Promise<string> {
  if (typeof wanted !== 'string' || wanted === '') return 'Say what to look for.';
  const hits: string[] = [];
  for (const path of (await filesBelow(worktree, folder)).slice(0, MOST_SEARCHED)) {
    const content = await contentOf(worktree, path);
    if (content === undefined || content.includes('\0') || !content.includes(wanted)) continue;
    for (const [index, line] of content.split('\n').entries()) {
      if (line.includes(wanted)) hits.push(`${path}:${index + 1}: ${line.slice(0, LONGEST_LINE)}`);
      if (hits.length >= MOST_FOUND) return [...hits, '[more: look in a folder]'].join('\n');
    }
  }
  return hits.length === 0 ? 'Nothing holds it.' : hits.join('\n');
}

/** Our own state and git's are no part of the project, whatever leads to them. */
async function contentOf(worktree: string, path: string): Promise<string | undefined> {
  if (/^(?:\.\/)*\.(?:git|loopwright)(?:\/|$)/.test(path)) return undefined;
  return (await readInTree(worktree, path)).content;
}

function schema(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: 'object', properties, required: [...required], additionalProperties: false };
}

function text(description: string): JsonObject {
  return { type: 'string', description };
}

function number(description: string): JsonObject {
  return { type: 'number', description };
}

/** For a log: what was looked at, in one line. */
export function toolLine(name: string, input: JsonValue): string {
  const said = isJsonObject(input) ? Object.values(input).map(String).join(' ') : '';
  return `[${name} ${said}]`;
}
