import { isJsonObject } from '../kernel/json.ts';
import type { ManifestBody } from '../manifest/definition.ts';
import type { ResolvedManifest } from '../manifest/resolved.ts';
import type { BaselineCheck } from '../verification/baseline.ts';
import {
  type CommandKind,
  type CommandText,
  type ConfiguredCommands,
  projectCommand,
} from '../verification/commands/project-commands.ts';

/** A command of the project that a workflow runs, with what its node remembers about it. */
export interface UsedCheck {
  readonly kind: CommandKind;
  readonly memory?: CommandText | undefined;
}

const KINDS: { readonly [worker: string]: CommandKind } = {
  'Internal:TestRunner': 'test',
  'Internal:RunLinter': 'lint',
  'Internal:RunBuilder': 'build',
};

/** The commands of the project that a workflow runs: nothing else has to be known of the untouched files. */
export function checksUsedBy({ blocks, nodes }: ResolvedManifest): UsedCheck[] {
  const used = new Map<string, UsedCheck>();
  for (const { worker, node } of Object.values(blocks)) {
    const kind = KINDS[worker];
    if (kind === undefined) continue;
    const memory = rememberedIn(nodes[node]?.memory, kind);
    used.set(`${kind} ${JSON.stringify(memory ?? null)}`, memory === undefined ? { kind } : { kind, memory });
  }
  const order = Object.values(KINDS);
  return [...used.values()].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
}

/** The workers of a flow as it is written, and the commands of the project that they run. */
export function workersIn({ nodes }: ManifestBody): {
  readonly workers: ReadonlySet<string>;
  readonly used: readonly UsedCheck[];
} {
  const workers = new Set(
    Object.values(nodes).flatMap(({ blocks }) => Object.values(blocks).map(({ worker }) => worker)),
  );
  const used = Object.entries(KINDS).flatMap(([worker, kind]) => (workers.has(worker) ? [{ kind }] : []));
  return { workers, used };
}

/** The same as commands to run in a folder; what nobody names there is not tried. */
export function baselineOf(
  used: readonly UsedCheck[],
  configured: ConfiguredCommands,
): (folder: string) => BaselineCheck[] {
  return (tree) => {
    const checks = used.flatMap(({ kind, memory }): BaselineCheck[] => {
      const remembered = memory === undefined ? undefined : { [kind]: memory };
      const read = projectCommand(kind, { configured, memory: remembered, tree })?.read;
      return read?.ok ? [{ name: kind, argv: read.argv, env: read.env }] : [];
    });
    const lines = checks.map((check) => JSON.stringify(check));
    return checks.filter((_, index) => lines.indexOf(lines[index] ?? '') === index);
  };
}

function rememberedIn(memory: unknown, kind: CommandKind): CommandText | undefined {
  const commands = isJsonObject(memory) ? memory['commands'] : undefined;
  const command = isJsonObject(commands) ? commands[kind] : undefined;
  if (typeof command === 'string') return command;
  return Array.isArray(command) && command.every((word) => typeof word === 'string') ? command : undefined;
}
