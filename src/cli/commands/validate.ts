import { count } from '../../kernel/words.ts';
import { compileManifest } from '../../manifest/compile.ts';
import { ManifestSyntaxError } from '../../manifest/load-error.ts';
import { formatProblem, type Problem } from '../../manifest/problem.ts';
import { openProject } from '../../project/open.ts';
import type { Project } from '../../project/place.ts';
import { knownWorkers } from '../../project/runs/known-workers.ts';
import { unconfigured, withProjectWorkers } from '../../project/runs/roster.ts';
import { readWorkflow } from '../../project/runs/workflow.ts';
import type { Screen } from '../output.ts';

export interface ValidateOptions {
  readonly strict?: true;
  readonly dir?: string;
  readonly json?: true;
}

export async function validate(
  screen: Screen,
  named: string | undefined,
  options: ValidateOptions,
): Promise<number> {
  const { project, config, services } = openProject(options.dir);
  const workflow = read(project, config.workflow, named);
  if (workflow instanceof ManifestSyntaxError) {
    if (!options.json) throw workflow;
    screen.json(syntaxReport(workflow));
    return 1;
  }
  const document = withProjectWorkers(workflow.document, config.workers);
  const missing = unconfigured(document);
  const { problems } = compileManifest(document, {
    file: workflow.name,
    workers: knownWorkers(services, missing),
    config: services.config,
    strict: options.strict ?? false,
  });
  const valid = problems.every(({ severity }) => severity === 'warning' && !options.strict);
  if (options.json)
    screen.json({ workflow: workflow.name, file: workflow.file, valid, problems, unconfigured: missing });
  else report(screen, project, { name: workflow.name, problems, missing, valid });
  return valid ? 0 : 1;
}

function read(project: Project, configured: string | undefined, named: string | undefined) {
  try {
    return readWorkflow(project, configured, named);
  } catch (error) {
    if (error instanceof ManifestSyntaxError) return error;
    throw error;
  }
}

/** Text that is no JSON is a problem like any other for a program that reads the report. */
function syntaxReport({ file, line, column, message }: ManifestSyntaxError): object {
  const problem = { severity: 'error', message, file, line, column, path: [] };
  return { workflow: file, file, valid: false, problems: [problem], unconfigured: [] };
}

function report(
  screen: Screen,
  project: Project,
  found: { name: string; problems: readonly Problem[]; missing: readonly string[]; valid: boolean },
): void {
  const { green, red, yellow, cyan, dim } = screen.style;
  for (const problem of found.problems) {
    const word = problem.severity === 'error' ? red('error') : yellow('warning');
    screen.line(`${word} ${formatProblem(problem)}`);
  }
  const errors = found.problems.filter(({ severity }) => severity === 'error').length;
  const warnings = found.problems.length - errors;
  const sums = `${count(errors, 'error')}, ${count(warnings, 'warning')}`;
  screen.line(
    found.valid
      ? `${green('✓')} ${found.name} is valid ${dim(`(${sums})`)}`
      : `${red('✗')} ${found.name}: ${sums}`,
  );
  for (const name of found.missing) {
    screen.line(dim(`  "${name}" needs a command in .loopwright/config.json before it can run here.`));
  }
  const next = found.valid
    ? project.command('graph', found.name)
    : 'correct the manifest, then validate it again';
  screen.line(`${cyan('next:')} ${next}`);
}
