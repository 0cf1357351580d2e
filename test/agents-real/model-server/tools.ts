import { resolve } from 'node:path';
import type { Wish } from './prompt.ts';

export interface ToolCall {
  readonly name: string;
  readonly args: object | string;
}

export interface Offer {
  readonly tools: readonly string[];
  /** The names of a tool's parameters, where the API tells them. */
  readonly takes?: { readonly [tool: string]: readonly string[] };
  readonly folder: string | undefined;
  /** How many results of tools the wish has led to so far. */
  readonly done: number;
}

/** The next call that the wish wants: the first of the tools we know that this CLI offers; undefined when it is done. */
export function chooseTool({ tools, takes = {}, folder, done }: Offer, wish: Wish): ToolCall | undefined {
  const after = wish.afterwards === undefined ? [] : shells({ ...wish, command: wish.afterwards });
  if (done >= wish.times) return done === wish.times ? offeredOf(after, tools) : undefined;
  if (wish.command !== undefined) return offeredOf(shells(wish), tools);
  const writing = writers(wish, folder).map(({ name, args }) => ({
    name,
    args: named(args, takes[name] ?? []),
  }));
  const known = wish.shell ? [...shells(wish), ...writing] : [...writing, ...shells(wish)];
  return offeredOf([...known, ...patchers(wish)], tools);
}

function offeredOf(known: readonly ToolCall[], tools: readonly string[]): ToolCall | undefined {
  return known.find((tool) => tools.includes(tool.name));
}

interface Writer {
  readonly name: string;
  readonly args: { readonly path: string; readonly content: string };
}

function writers(wish: Wish, folder: string | undefined): Writer[] {
  const path = folder ? resolve(folder, wish.file) : wish.file;
  const args = { path, content: `${wish.content}\n` };
  // claude and cn; gemini and qwen; opencode and pi; copilot
  return ['Write', 'write_file', 'write', 'create'].map((name) => ({ name, args }));
}

const PATHS = ['file_path', 'filePath', 'filepath', 'path'];
const CONTENTS = ['content', 'file_text'];

/** The same two things by the names that this CLI gives them. */
function named({ path, content }: Writer['args'], takes: readonly string[]): object {
  const one = (names: readonly string[]) => names.find((name) => takes.includes(name)) ?? names[0] ?? '';
  return { [one(PATHS)]: path, [one(CONTENTS)]: content };
}

function shells(wish: Wish): ToolCall[] {
  const writing = `printf '%s\\n' '${wish.content}' > ${wish.file}`;
  const command = `${wish.slow ? 'sleep 1; ' : ''}${wish.command ?? writing}`;
  const description = 'write a file';
  const escalation = { sandbox_permissions: 'require_escalated', justification: 'May I write the file?' };
  return [
    { name: 'Bash', args: { command, description } }, // claude
    { name: 'exec_command', args: { cmd: command, ...(wish.ask ? escalation : {}) } }, // codex
    { name: 'shell_command', args: { command } },
    { name: 'shell', args: { command: ['bash', '-lc', command] } },
    { name: 'run_shell_command', args: { command, description } }, // gemini
    { name: 'bash', args: { command, description } }, // opencode
  ];
}

/** codex: models with a "code mode" have one JavaScript tool that wraps the others. Their input is plain text. */
function patchers(wish: Wish): ToolCall[] {
  const patch = `*** Begin Patch\n*** Add File: ${wish.file}\n+${wish.content}\n*** End Patch`;
  return [
    { name: 'exec', args: `text(await tools.apply_patch(${JSON.stringify(patch)}))` },
    { name: 'apply_patch', args: patch },
  ];
}
