import { scriptNamed } from '../commands/empty-script.ts';

/** A script of a package that a command runs. */
export interface ScriptCall {
  readonly script: string;
  /** Where it is looked for, below the folder of the command. */
  readonly folder: string;
  /** Packages of a workspace, by name or folder, instead of the one in the folder. */
  readonly packages: readonly string[] | 'all' | undefined;
}

const IN_FOLDER = new Set(['--prefix', '-C', '--cwd', '--dir']);
const ONE_PACKAGE = new Set(['--workspace', '-w', '--filter', '-F']);
const ALL_PACKAGES = new Set(['--workspaces', '-ws', '--recursive', '-r']);

/** The script that a command of a package manager runs, wherever its options say; undefined for any other command. */
export function scriptCall(argv: readonly string[]): ScriptCall | undefined {
  const [manager = '', ...words] = argv;
  const rest: string[] = [];
  let folder = '';
  let packages: string[] | 'all' | undefined;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const [option = '', joined] = word.startsWith('--') ? word.split(/=(.*)/s) : [word];
    if (word === '--') break;
    if (ALL_PACKAGES.has(option)) packages = 'all';
    // To pnpm that is the top of the workspace, which is where it is looked for anyway.
    else if (option === '-w' && manager === 'pnpm') continue;
    else if (IN_FOLDER.has(option)) folder = joined ?? words[++at] ?? '';
    else if (ONE_PACKAGE.has(option)) packages = withPackage(packages, joined ?? words[++at] ?? '');
    else if (!option.startsWith('-')) rest.push(word);
  }
  if (manager === 'yarn' && rest[0] === 'workspace')
    packages = withPackage(packages, rest.splice(0, 2)[1] ?? '');
  if (manager === 'yarn' && rest[0] === 'workspaces') {
    rest.splice(0, rest[1] === 'foreach' ? 2 : 1);
    packages = 'all';
  }
  const script = scriptNamed([manager, ...rest]);
  return script === undefined ? undefined : { script, folder, packages };
}

/** A pattern can mean any package. */
function withPackage(known: string[] | 'all' | undefined, name: string): string[] | 'all' {
  const plain = name.replace(/^\.{3}\^?|\^?\.{3}$/g, '');
  return known === 'all' || plain !== name || /[*!{[]/.test(name) ? 'all' : [...(known ?? []), name];
}

/** The folders of the packages that a call is about. */
export async function packageFolders(
  { packages }: ScriptCall,
  files: { list(): Promise<readonly string[]>; read(path: string): Promise<string | undefined> },
): Promise<string[]> {
  const manifests = (await files.list()).filter(
    (path) => /(?:^|\/)package\.json$/.test(path) && !/(?:^|\/)node_modules\//.test(path),
  );
  const wanted = new Set(packages === 'all' ? [] : packages?.map((name) => name.replace(/^\.\/|\/$/g, '')));
  const found: string[] = [];
  for (const path of manifests) {
    const folder = path.replace(/\/?package\.json$/, '');
    if (packages === 'all' || wanted.has(folder) || wanted.has(nameIn(await files.read(path))))
      found.push(folder);
  }
  return found;
}

function nameIn(text: string | undefined): string {
  return /"name"\s*:\s*"([^"]+)"/.exec(text ?? '')?.[1] ?? '';
}
