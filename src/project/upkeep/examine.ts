import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { formatAdapterProblem } from '../../agents/definition/parse.ts';
import type { AgentStatus } from '../../agents/resolve/agent-status.ts';
import { SHARED_FILE } from '../../config/config-file.ts';
import { type Action, action, advise } from '../../kernel/action.ts';
import { withToolsFirst } from '../../process/child-env.ts';
import { hasControlGroups } from '../../process/control-group.ts';
import { environmentFor } from '../../process/environment.ts';
import { findProgram } from '../../process/find-program.ts';
import { findSandbox } from '../../process/sandbox/sandbox.ts';
import { projectCommands } from '../../verification/commands/project-commands.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import type { OpenProject } from '../open.ts';
import { isInRepository } from '../runtime/open-runtime.ts';
import { configuredPrograms, isThere } from './programs.ts';

export interface Examined {
  readonly level: 'good' | 'note' | 'wrong';
  readonly what: string;
  readonly next?: Action;
}

/** Everything a run in this project leans on, each with how to get it where it is missing. */
export async function examine(opened: OpenProject, agents: readonly AgentStatus[]): Promise<Examined[]> {
  return [
    ...noProject(opened),
    await git(opened),
    ...(await commands(opened)),
    ...(await otherPrograms(opened)),
    await sandbox(opened),
    leftovers(),
    ...configured(opened, agents),
    ...agents.flatMap(agentFindings),
    ...adapterFiles(opened),
  ];
}

/** A folder in which nothing is to be worked on is no place where everything is fine. */
function noProject({ project, config }: OpenProject): Examined[] {
  const { dir, folder } = project;
  const signs = [folder, join(dir, SHARED_FILE)].some((path) => existsSync(path)) || isInRepository(dir);
  if (signs || projectCommands({ configured: config.commands, tree: dir }).length > 0) return [];
  const what = `there is no project in ${dir}: no git repository, no configuration, no command that checks anything`;
  return [{ level: 'wrong', what, next: advise('Go to the folder of your project, or name it.') }];
}

const OLDEST_GIT = [2, 38] as const;

async function git({ project }: OpenProject): Promise<Examined> {
  try {
    const said = await new BoundGit(project.dir).out(['--version']);
    const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(said)?.slice(1) ?? []).map(Number);
    const old = major < OLDEST_GIT[0] || (major === OLDEST_GIT[0] && minor < OLDEST_GIT[1]);
    const what = `git ${major}.${minor}`;
    return old
      ? {
          level: 'note',
          what: `${what}: accepting work needs ${OLDEST_GIT.join('.')} or later`,
          next: advise('Update git.'),
        }
      : { level: 'good', what };
  } catch {
    return { level: 'wrong', what: 'git cannot be run', next: advise('Install git.') };
  }
}

/** Each command that a check would start, and whether its program is there. */
async function commands(opened: OpenProject): Promise<Examined[]> {
  const { project, config } = opened;
  const known = projectCommands({ configured: config.commands, tree: project.dir });
  const env = withToolsFirst(environmentFor('check', config.childEnv, config.environment.check), project.dir);
  const found = await Promise.all(
    known.map(async ({ kind, line, source, from, read }): Promise<Examined> => {
      const place = source === 'configured' ? (config.commandFiles[kind] ?? from) : from;
      const what = `${kind}: ${line} (${source}, ${place})`;
      const correct = advise(`Set commands.${kind} to a command that can be run.`);
      if (!read.ok) return { level: 'wrong', what: read.reason, next: correct };
      const [program = ''] = read.argv;
      const there = await findProgram(program, project.dir, env).then(
        () => true,
        () => false,
      );
      if (there) return { level: 'good', what };
      const next = advise(`Install ${program}, or set commands.${kind} to what is there.`);
      const level = source === 'configured' ? 'wrong' : 'note';
      return { level, what: `${what}: there is no program "${program}"`, next };
    }),
  );
  if (known.some(({ kind }) => kind === 'test')) return found;
  const none = { level: 'note', what: 'no test command is known' } as const;
  return [{ ...none, next: action('project.init', 'Let it be found') }, ...found];
}

/** The programs that play workers, set worktrees up and tell people: one that is missing is found out here, not at night. */
async function otherPrograms(opened: OpenProject): Promise<Examined[]> {
  return Promise.all(
    configuredPrograms(opened).map(async (named): Promise<Examined> => {
      const { setting, program } = named;
      if (await isThere(opened, named)) return { level: 'good', what: `${setting}: ${program}` };
      const next = advise(`Install ${program}, or correct ${setting} in the configuration.`);
      return { level: 'wrong', what: `${setting}: there is no program "${program}"`, next };
    }),
  );
}

/** What stands around agents, checks and setup on this machine, and how to get it where nothing does. */
async function sandbox({ config: { sandbox: settings } }: OpenProject): Promise<Examined> {
  const { level } = settings;
  const found = await findSandbox();
  if (level === 'off') {
    const could = found.sandbox ? `, though this machine has ${found.sandbox.name}` : '';
    return { level: 'note', what: `no sandbox: it is switched off${could}` };
  }
  if (found.sandbox) return { level: 'good', what: `sandbox: ${found.sandbox.name}, ${level}` };
  const missing = { what: `no sandbox: ${found.why}`, next: advise(found.next) };
  return { level: level === 'strict' ? 'wrong' : 'note', ...missing };
}

/** By what it is found what a step has left running, where no wall ends it. */
function leftovers(): Examined {
  if (hasControlGroups())
    return { level: 'good', what: 'what a step leaves running is found by control groups' };
  return {
    level: 'note',
    what: 'no control groups: without a sandbox, a program that hides well can outlive its step',
    next: advise(
      process.platform === 'linux'
        ? 'Use the sandbox, or run where control groups (version 2) can be made: in a systemd user session or a container that has them.'
        : 'Use the sandbox.',
    ),
  };
}

/** The agents that the configuration names must be there; any other may be missing. */
function configured({ config }: OpenProject, agents: readonly AgentStatus[]): Examined[] {
  const named = Object.values(config.workers).flatMap(
    ({ agent, agents: list }) => list ?? (agent === undefined ? [] : [agent]),
  );
  return [...new Set(named)].flatMap((name): Examined[] => {
    const status = agents.find(({ type }) => type === name);
    if (!status)
      return [
        {
          level: 'wrong',
          what: `the configuration names the agent "${name}", which nobody knows`,
          next: advise(`Use one of ${agents.map(({ type }) => type).join(', ')}.`),
        },
      ];
    return status.problems.map(({ message, next }) => ({
      level: 'wrong',
      what: message,
      next: advise(next),
    }));
  });
}

function agentFindings(status: AgentStatus): Examined[] {
  const { type, binary, version, login, problems } = status;
  if (problems.length > 0)
    return problems.map(({ message, next }) => ({ level: 'note', what: message, next: advise(next) }));
  const whose = binary?.how === 'project' ? `, this repository's own ${binary.path}` : '';
  const name = `${type}${version ? ` ${version.version}` : ''}${whose}`;
  const newer = untested(status);
  if (login.state === 'unseen')
    return [{ level: 'note', what: `${name}: no login is seen`, next: advise(login.how) }, ...newer];
  const found = `${name}${login.state === 'seen' ? `, logged in by ${login.by}` : ''}`;
  return binary ? [{ level: 'good', what: found }, ...newer] : [];
}

/** It is used all the same; whoever wonders about what it does should know. */
function untested({ type, version, testedVersion }: AgentStatus): Examined[] {
  if (testedVersion === undefined) return [];
  return [
    {
      level: 'note',
      what: `${type} ${version?.version ?? ''} is newer than ${testedVersion}, with which its adapter was tested`,
      next: advise(`If it behaves oddly, update loopwright, or install ${type} ${testedVersion}.`),
    },
  ];
}

function adapterFiles({ adapterProblems }: OpenProject): Examined[] {
  return adapterProblems.map((problem) => ({
    level: 'wrong',
    what: formatAdapterProblem(problem),
    next: advise('Correct the file.'),
  }));
}
