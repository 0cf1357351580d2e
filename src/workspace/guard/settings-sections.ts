import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';

/** What each section of a file of git settings says, under its heading as it is written there. */
export type Sections = ReadonlyMap<string, string>;

/** A heading can have settings on its own line: `[core] fsmonitor = x`. */
const HEADING = /^\s*(\[\s*[\w.-]+(?:\s+"(?:[^"\\]|\\.)*")?\s*\])/;

export function sectionsIn(text: string): Sections {
  const found = new Map<string, string>();
  let heading = '';
  for (const line of text.split(/\r?\n/)) {
    const [whole, named] = HEADING.exec(line) ?? [];
    if (named !== undefined) heading = named;
    const said = (whole === undefined ? line : line.slice(whole.length)).trim();
    if (said === '' || said.startsWith('#') || said.startsWith(';')) continue;
    found.set(heading, `${found.get(heading) ?? ''}${said}\n`);
  }
  return found;
}

/** What git itself and people at work write about branches, and nothing that leads to a program or another server. */
const PLAIN_BRANCH =
  /^(?:(?:remote|merge|rebase|pushremote|vscode-merge-base|description)\s*=\s*[\w./-]+\s*\n)*$/i;

/** Whether a section may change while somebody is at work: it only says which branch follows which. */
export function isHarmless(heading: string, said: string): boolean {
  return /^\[\s*branch\s/i.test(heading) && PLAIN_BRANCH.test(said);
}

/** The files that a file of settings takes in, wherever they are. */
export function includedBy(sections: Sections, file: string): string[] {
  const included = [...sections].filter(([heading]) => /^\[\s*include(?:if)?[\s\].]/i.test(heading));
  return included.flatMap(([, said]) =>
    [...said.matchAll(/^path\s*=\s*"?([^"\n]+?)"?\s*$/gim)].map(([, path = '']) => placeOf(path, file)),
  );
}

function placeOf(path: string, file: string): string {
  if (path.startsWith('~/')) return join(homedir(), path.slice(2));
  return isAbsolute(path) ? path : resolve(dirname(file), path);
}
