import type { NamedDraft } from '../../../backlog/backlog.ts';
import { UsageError } from '../../../kernel/errors.ts';

type Field = (value: string) => Partial<NamedDraft>;

function words(value: string): string[] {
  return value
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** `steps=50, usd=2` */
function budget(value: string): Partial<NamedDraft> {
  const parts = words(value).map((part) => {
    const [name = '', amount = ''] = part.split('=').map((word) => word.trim());
    return [name, Number(amount)] as const;
  });
  return { budget: Object.fromEntries(parts) };
}

/** The `key: value` lines that a checklist item may have. */
const FIELDS: { readonly [name: string]: Field } = {
  goal: (goal) => ({ goal }),
  kind: (kind) => ({ kind: kind as NonNullable<NamedDraft['kind']> }),
  role: (role) => ({ role: role as NonNullable<NamedDraft['role']> }),
  mode: (mode) => ({ mode: mode as NonNullable<NamedDraft['mode']> }),
  allow: (value) => ({ allowedPaths: words(value) }),
  deny: (value) => ({ deniedPaths: words(value) }),
  expect: (value) => ({ expectedFiles: words(value) }),
  command: (value) => ({ commands: [value.replace(/^`(.*)`$/, '$1')] }),
  needs: (value) => ({ dependencies: words(value) }),
  priority: (value) => ({ priority: Number(value) }),
  timebox: (value) => ({ timeboxMinutes: Number(value.replace(/\s*(m|min|minutes?)$/, '')) }),
  agents: (value) => ({ agents: words(value) }),
  budget,
  key: (key) => ({ key }),
  notes: (notes) => ({ notes }),
};

/** Reads a `key: value` line; undefined when it is plain text. Commands add up, everything else counts once. */
export function readField(line: string, draft: NamedDraft, where: string): NamedDraft | undefined {
  const [, name = '', value = ''] = /^([a-z]+)\s*:\s+(.+)$/i.exec(line) ?? [];
  const field = FIELDS[name.toLowerCase()];
  if (!field) return undefined;
  const read = field(value.trim());
  const [key] = Object.keys(read) as (keyof NamedDraft)[];
  if (key === 'commands')
    return { ...draft, commands: [...(draft.commands ?? []), ...(read.commands ?? [])] };
  if (key !== undefined && draft[key] !== undefined) {
    throw new UsageError(`${where}: "${name}" is given twice.`, { next: 'Keep one of them.' });
  }
  return { ...draft, ...read };
}
