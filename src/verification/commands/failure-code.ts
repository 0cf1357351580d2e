import type { ProcessEnd } from '../../process/outcome.ts';

export type FailureCode =
  | 'missing_script'
  | 'no_test_files'
  | 'missing_make_target'
  | 'unsupported_format'
  | 'sequence_issue'
  | 'setup_issue'
  | 'denied_command'
  | 'failed';

/** What the tools say, most specific first. A relative module that is missing is a mistake in the code, not in the set-up. */
const SAID: readonly (readonly [code: FailureCode, pattern: RegExp])[] = [
  // A package manager says the same of a missing script and of a program that is not installed.
  [
    'setup_issue',
    /ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL[^\n]*not found|could not determine executable to run|is not recognized as an internal or external command|python[\d.]*: No module named \S+/i,
  ],
  // The project wants another node or package manager than there is. A warning of npm is no failure.
  [
    'setup_issue',
    /npm (?:ERR!|error) code EBADENGINE|ERR_PNPM_(?:UNSUPPORTED_ENGINE|BAD_PM_VERSION)|the engine "[^"]+" is incompatible with this module|unsupported environment \(bad (?:pnpm|npm|node)/i,
  ],
  // A package that was installed does not fit those around it; in the project's own files it is a mistake of the code.
  [
    'setup_issue',
    /(?:ERR_REQUIRE_ESM|ERR_PACKAGE_PATH_NOT_EXPORTED|ERR_UNSUPPORTED_DIR_IMPORT)[^\n]*node_modules[\\/]|node_modules[\\/][^\n]*:\d+\n(?:[^\n]*\n){0,6}[^\n]*(?:cannot use import statement outside a module|unexpected token 'export'|does not provide an export named)/i,
  ],
  [
    'missing_script',
    /missing script:|script not found|couldn't find a script named|ERR_PNPM_NO_SCRIPT|ERR_PNPM_RECURSIVE_RUN_NO_SCRIPT|no scripts? named|command "[^"]+" not found/i,
  ],
  [
    'missing_script',
    /ENOENT[^\n]*package\.json|no package\.json (?:was )?found|ERR_PNPM_NO_(?:IMPORTER_MANIFEST_FOUND|PKG_MANIFEST)|couldn't find a package\.json/i,
  ],
  [
    'no_test_files',
    /no test files found|no tests? found|no test specified|no tests? (?:were )?(?:ran|collected)|collected 0 items/i,
  ],
  [
    'missing_make_target',
    /no rule to make target|no targets specified and no makefile found|\*\*\* no targets/i,
  ],
  [
    'setup_issue',
    /command not found|: not found$|cannot find (?:module|package) '[^./'][^']*'|node_modules missing|ERR_PNPM_NO_LOCKFILE|did you (?:forget|mean) to (?:run )?install|local package\.json exists, but node_modules missing/im,
  ],
];

/** What a tool says about itself stands at the end; a flood before it is not searched. */
const SEARCHED = 64 * 1024;

const CLEANS = /\b(?:clean|clobber|distclean)\b|\brm\s+-\w*r/;
const LOOKS_FOR_ARTIFACT = /^(?:test|\[|ls|stat|file|du|cat)\b/;

/** Why a command failed, as far as it can be told. `before` is the command that ran before it. */
export function failureCode(
  command: string,
  end: ProcessEnd,
  output: string,
  before: string | undefined,
): FailureCode {
  if (end.kind === 'not-started') return 'setup_issue';
  if (end.kind !== 'exited') return 'failed';
  if (before !== undefined && CLEANS.test(before) && LOOKS_FOR_ARTIFACT.test(command))
    return 'sequence_issue';
  const ending = output.slice(-SEARCHED);
  const said = SAID.find(([, pattern]) => pattern.test(ending))?.[0];
  if (said !== undefined) return said;
  return end.code === 127 ? 'setup_issue' : 'failed';
}
