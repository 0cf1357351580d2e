import type { ProcessIdentity } from '../../kernel/process-identity.ts';
import { environmentFor } from '../../process/environment.ts';
import { runProcess } from '../../process/run.ts';
import { inspectionOf } from '../../tasks/prepare/inspection.ts';
import { projectCommand } from '../../verification/commands/project-commands.ts';
import type { RunProgram } from '../../verification/commands/run-chain.ts';
import type { TryTrees } from '../../verification/proof/evidence.ts';
import { inspect } from '../../verification/proof/inspect.ts';
import type { TestCommand } from '../../verification/proof/run-tests.ts';
import type { SuspiciousChanges } from '../../verification/suspicious/segment.ts';
import { inspectionSettings, PATHS_NAMED, TESTS_MAY_CHANGE } from '../../workers/inspection-settings.ts';
import type { OpenProject } from '../open.ts';
import type { AcceptCompany } from './check-candidate.ts';
import { readBeforeWork } from './make-worktree.ts';
import type { OpenedSession } from './opened-session.ts';
import { suspiciousIn } from './session-proof.ts';

/**
 * What became of the checks, on the very files that are to be delivered: as the session found it out, or looked at here
 * where its workflow did not, or where somebody has changed the files since.
 */
export async function suspiciousOf(
  opened: OpenProject,
  kept: OpenedSession,
  { held, root }: { readonly held: string | undefined; readonly root: string },
  company: AcceptCompany & { readonly unproven?: boolean },
): Promise<SuspiciousChanges | undefined> {
  const known = suspiciousIn(kept.snapshot);
  // It is in the base already, on somebody's word: accepting it again changes nothing.
  if (kept.snapshot.state.delivery?.kind === 'delivered' && known?.tree === held) return undefined;
  const base = kept.worktree?.baseCommit;
  if (held === undefined || base === undefined || known?.tree === held) return known;
  const { cancel = new AbortController().signal, onPreparing, unproven = false } = company;
  const { repo, id, snapshot } = kept;
  const inspected = {
    id,
    base: async () => base,
    delivered: async () => held,
    before: () => readBeforeWork(kept.path),
    folder: kept.path,
    opened: () => snapshot.state.paths.opened ?? [],
  };
  const inspection = inspectionOf(opened.config, repo, inspected);
  const { history } = snapshot.state;
  const said = [...history.ever(TESTS_MAY_CHANGE), ...history.ever(PATHS_NAMED)];
  const settings = inspectionSettings({}, said, inspection);
  const tryTrees: TryTrees = (action) => {
    onPreparing?.('looking at what became of the checks: running old tests on the new code');
    return inspection.withFolder(
      (put, started) =>
        action(async (tree, use) => {
          const folder = await put(tree);
          return use(folder, checkProgram(opened, folder, { cancel, started }));
        }),
      cancel,
    );
  };
  const { tree, found } = await inspect(
    {
      ...settings,
      // Without a proof nothing is run: what can be read is read all the same.
      oldTests: unproven ? 'off' : settings.oldTests,
      base,
      delivered: held,
      // Its gates themselves run on what is delivered, where they may have leant on something else.
      fresh: 'off',
      undelivered: [],
      folder: kept.path,
      prefix: repo.prefix,
      commands: testCommands(opened, root),
    },
    inspection.trees,
    tryTrees,
  );
  // What the session itself saw red does not become green by not being run.
  const seen = unproven ? (known?.found ?? []) : [];
  return { tree, found: [...seen, ...found] };
}

function testCommands({ services }: OpenProject, tree: string): TestCommand[] {
  const command = projectCommand('test', { configured: services.commands, tree });
  if (!command?.read.ok) return [];
  const { argv, env } = command.read;
  return [{ line: command.line, argv, env }];
}

/** As a check of a session is started. */
function checkProgram(
  { services, config }: OpenProject,
  root: string,
  { cancel, started }: { readonly cancel: AbortSignal; readonly started: (process: ProcessIdentity) => void },
): RunProgram {
  const { sandbox, masker, timeoutMs } = services;
  const checks = environmentFor('check', config.childEnv, config.environment.check);
  return async ({ argv, env, cwd }) =>
    runProcess({
      argv,
      cwd,
      env: { ...checks, ...env },
      wall: await sandbox?.wallFor({ kind: 'check', tree: root }),
      masker,
      streams: 'merged',
      timeoutMs,
      cancel,
      onStarted: started,
    });
}
