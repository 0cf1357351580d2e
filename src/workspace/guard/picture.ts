import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../kernel/errors.ts';
import { includedBy, isHarmless, sectionsIn } from './settings-sections.ts';

/** Things that steer somebody, each by its name: a digest of what it says. What is not there has no entry. */
export type Picture = { readonly [name: string]: string };

/** Read by git from the folder that all worktrees share, beside its settings and hooks. */
const STEERING = [
  'info/attributes',
  'info/grafts',
  'objects/info/alternates',
  'objects/info/http-alternates',
];

/** Settings, hooks and files that make git start programs or look for objects elsewhere. */
export function pictureOfRepository(commonDir: string): Picture {
  return Object.fromEntries([
    ...Object.entries(pictureOfSettings(commonDir)),
    ...STEERING.flatMap((name) => entry(name, join(commonDir, name))),
    ...namesIn(join(commonDir, 'hooks'))
      .filter((name) => !name.endsWith('.sample'))
      .flatMap((name) => entry(`hooks/${name}`, join(commonDir, 'hooks', name))),
  ]);
}

/** The settings alone, section by section, with the files that they take in. */
export function pictureOfSettings(gitDir: string): Picture {
  return Object.fromEntries(SETTINGS.flatMap((name) => settingsIn(name, join(gitDir, name))));
}

/** The second is of one checkout alone; a worktree has it in its own folder. */
const SETTINGS = ['config', 'config.worktree'];

function settingsIn(name: string, file: string): [string, string][] {
  const text = textOf(file);
  if (text === undefined) return [];
  const sections = sectionsIn(text);
  const said = [...sections].filter(([heading, body]) => !isHarmless(heading, body));
  return [
    ...said.map(([heading, body]): [string, string] => [`${name} ${heading}`, digestOf(body)]),
    ...includedBy(sections, file).flatMap((path) => entry(`${name} includes ${path}`, path)),
  ];
}

/** All files below a folder, but for those whose first name is left out. */
export function pictureOfFolder(folder: string, name: string, leftOut: (first: string) => boolean): Picture {
  const found: [string, string][] = [];
  const walk = (path: string): void => {
    for (const one of namesIn(join(folder, path))) {
      const below = path === '' ? one : `${path}/${one}`;
      if (path === '' && leftOut(one)) continue;
      if (lstatSync(join(folder, below), { throwIfNoEntry: false })?.isDirectory()) walk(below);
      else found.push(...entry(`${name}/${below}`, join(folder, below)));
    }
  };
  walk('');
  return Object.fromEntries(found);
}

/** What is new, gone or different, for a person. */
export function changesBetween(before: Picture, now: Picture): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
  return names.flatMap((name) => {
    if (before[name] === now[name]) return [];
    if (before[name] === undefined) return [`${name} (new)`];
    return [`${name} (${now[name] === undefined ? 'gone' : 'changed'})`];
  });
}

function entry(name: string, path: string): [string, string][] {
  const text = textOf(path);
  return text === undefined ? [] : [[name, digestOf(text)]];
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** A pipe or a device in its place is never opened: it is a state of its own. So is where a link leads to. */
function textOf(path: string): string | undefined {
  try {
    const link = lstatSync(path).isSymbolicLink() ? `a link to ${readlinkSync(path)}\n` : '';
    const target = statSync(path, { throwIfNoEntry: false });
    if (!target) return link;
    return link + (target.isFile() ? readFileSync(path, 'latin1') : `no file: ${target.mode}`);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === undefined) throw error;
    return `unreadable: ${code}`;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}
