import { dirname } from 'node:path';
import { ownAgents } from '../../config/own-agents.ts';
import { errorMessage } from '../../kernel/errors.ts';
import { didYouMean } from '../../kernel/suggest.ts';
import { readPlain } from '../../process/plain-file.ts';
import { streamNames } from '../adapters/open-stream.ts';
import { fieldLine } from './field-line.ts';
import { type AdapterProblem, parseDefinition } from './parse.ts';
import type { AdapterDefinition, ModeDefinition } from './shape.ts';

export interface LoadedDefinition {
  readonly type: string;
  readonly definition: AdapterDefinition;
  readonly file: string;
  /** The folder of the file. */
  readonly here: string;
}

export interface LoadedAdapters {
  readonly types: readonly LoadedDefinition[];
  /** Nothing of this is fatal: what is broken is left out. */
  readonly problems: readonly AdapterProblem[];
}

const TYPE = /^[a-z0-9][\w.-]*$/i;

/**
 * The adapters that a project defines. A file that is named explicitly (type to path) wins over the one in the
 * project's folder, and both win over the built-in of the same type.
 */
export function loadAdapters(
  projectDir: string,
  explicit: { readonly [type: string]: string } = {},
): LoadedAdapters {
  const files = new Map([...ownAgents(projectDir), ...Object.entries(explicit)]);
  const loaded = [...files].map(([type, file]) => loadDefinition(type, file));
  return {
    types: loaded.flatMap(({ loaded: found }) => (found ? [found] : [])),
    problems: loaded.flatMap(({ problems }) => problems),
  };
}

function loadDefinition(
  type: string,
  file: string,
): { readonly loaded?: LoadedDefinition; readonly problems: readonly AdapterProblem[] } {
  if (!TYPE.test(type)) {
    const message = 'The name of the file is the type of the agent: letters, digits, "-", "_" and ".".';
    return { problems: [{ file, message }] };
  }
  let text: string;
  try {
    text = readPlain(file).toString('utf8');
  } catch (error) {
    return { problems: [{ file, message: `It cannot be read: ${errorMessage(error)}` }] };
  }
  const { definition, problems } = parseDefinition(text, file);
  if (!definition) return { problems };
  const known = withKnownStreams(definition, text, file);
  return {
    loaded: { type, definition: known.definition, file, here: dirname(file) },
    problems: [...problems, ...known.problems],
  };
}

/** A mode whose stream nobody can read runs without one; a dialogue that nobody can hold is none. */
function withKnownStreams(
  definition: AdapterDefinition,
  text: string,
  file: string,
): { readonly definition: AdapterDefinition; readonly problems: readonly AdapterProblem[] } {
  const problems: AdapterProblem[] = [];
  const modes = { ...definition.modes };
  for (const name of ['headless', 'interactive', 'dialogue'] as const) {
    const { stream, ...mode } = modes[name] ?? { stream: undefined };
    const known = streamNames({ dialogue: name === 'dialogue' });
    if (stream === undefined || known.includes(stream)) continue;
    const line = fieldLine(text, ['modes', name, 'stream']) ?? 1;
    const what = name === 'dialogue' ? 'a stream that holds a dialogue' : 'a stream';
    const message = `"${stream}" is not ${what}.${didYouMean(stream, known)} Known are ${known.join(', ')}.`;
    problems.push({ file, line, field: `modes.${name}.stream`, message });
    if (name === 'dialogue') delete modes.dialogue;
    else modes[name] = mode as ModeDefinition;
  }
  return { definition: { ...definition, modes }, problems };
}
