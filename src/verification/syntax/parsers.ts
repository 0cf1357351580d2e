import type { SourceFile, SyntaxProblem, Unchecked } from './languages.ts';

/**
 * Small programs that read `[{ path, content }]` as JSON from their input, parse each file without running any of
 * it, and print one line per problem: `<index>:<line>: <problem>`, or `<index>: <why it was not parsed>`.
 */

/** For Node: JavaScript by its own engine, TypeScript and JSX by the project's own compiler where it has one. */
export const NODE_PARSER = `
const { spawnSync } = require('node:child_process');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const vm = require('node:vm');
let typescript;
const compiler = () => {
  if (typescript === undefined) {
    try { typescript = createRequire(join(process.cwd(), 'package.json'))('typescript'); } catch { typescript = null; }
    if (typeof typescript?.createSourceFile !== 'function') typescript = null;
  }
  return typescript;
};
const oneLine = (text) => String(text).replace(/\\s+/g, ' ').trim();
const byCompiler = ({ path, content }) => {
  const ts = compiler();
  const file = ts.createSourceFile(path, content, ts.ScriptTarget.Latest, false);
  return file.parseDiagnostics.slice(0, 10).map(({ start, messageText }) => ({
    line: file.getLineAndCharacterOfPosition(start ?? 0).line + 1,
    problem: oneLine(ts.flattenDiagnosticMessageText(messageText, ' ')),
  }));
};
const attempt = (parse) => {
  try { parse(); return undefined; } catch (error) {
    const line = /:(\\d+)\\n/.exec(String(error?.stack));
    return { line: line ? Number(line[1]) : 1, problem: oneLine(error?.message ?? error) };
  }
};
// An error of a module hides its line; it is only printed.
const lineInModule = (input) => {
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--check', '-'], { input, encoding: 'utf8' });
  return Number(/:(\\d+)\\n/.exec(stderr ?? '')?.[1] ?? 1);
};
const ARGUMENTS = ['exports', 'require', 'module', '__filename', '__dirname'];
const byEngine = ({ path, content }) => {
  const source = content.replace(/^\\uFEFF/, '').replace(/^#!.*/, '');
  const asModule = () => {
    const found = attempt(() => new vm.SourceTextModule(source, { identifier: 'file' }));
    return found && { ...found, line: lineInModule(source) };
  };
  const asScript = () => attempt(() => vm.compileFunction(source, ARGUMENTS, { filename: 'file' }));
  if (path.endsWith('.mjs')) return asModule();
  const script = asScript();
  if (script === undefined || path.endsWith('.cjs')) return script;
  const module = asModule();
  if (module === undefined) return undefined;
  return /^\\s*(?:import|export)\\b/m.test(source) ? module : script;
};
const check = (file) => {
  if (/\\.(?:js|mjs|cjs)$/i.test(file.path)) {
    const found = byEngine(file);
    if (found === undefined) return [];
    if (/@flow\\b/.test(file.content)) return 'there is no parser for Flow here';
    if (!/token '<'/.test(found.problem)) return [found];
    return compiler() ? byCompiler(file) : 'it may be JSX, and the project has no TypeScript of its own that can parse it';
  }
  return compiler() ? byCompiler(file) : 'the project has no TypeScript of its own that can parse it';
};
let text = '';
process.stdin.setEncoding('utf8').on('data', (more) => { text += more; }).on('end', () => {
  JSON.parse(text).forEach((file, index) => {
    const found = check(file);
    if (typeof found === 'string') console.log(index + ': ' + found);
    else for (const { line, problem } of found) console.log(index + ':' + line + ': ' + problem);
  });
});
`;

export const PYTHON_PARSER = `
import json, sys, warnings
warnings.simplefilter('ignore')
for index, file in enumerate(json.loads(sys.stdin.buffer.read().decode('utf-8'))):
    try:
        compile(file['content'].encode('utf-8'), file['path'], 'exec', dont_inherit=True)
    except SyntaxError as error:
        print('%d:%d: %s' % (index, error.lineno or 1, ' '.join(str(error.msg).split())))
    except (ValueError, RecursionError, MemoryError) as error:
        print('%d:1: %s' % (index, ' '.join(str(error).split())))
`;

/** What such a program printed about the files it was given. */
export function readFindings(
  printed: string,
  files: readonly SourceFile[],
): { readonly problems: SyntaxProblem[]; readonly unchecked: Unchecked[] } {
  const problems: SyntaxProblem[] = [];
  const unchecked: Unchecked[] = [];
  for (const printedLine of printed.split('\n')) {
    const [, index, line, said = ''] = /^(\d+):(?:(\d+):)? (.*)$/.exec(printedLine) ?? [];
    const path = files[Number(index)]?.path;
    if (path === undefined) continue;
    if (line === undefined) unchecked.push({ path, why: said });
    else problems.push({ path, line: Number(line), problem: said });
  }
  return { problems, unchecked };
}
