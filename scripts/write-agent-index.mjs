// Writes what follows from the folders of the agents: their names, which settings take, and the table that the
// registry reads. A folder with an adapter.json is an agent; with an adapter.ts it brings readers of its own.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ADAPTERS = 'src/agents/adapters';
const WARNING = `// Written by scripts/write-agent-index.mjs from the folders in ${ADAPTERS}; not edited by hand.`;

/** What the two files must contain, by their path. */
export function agentIndex(root) {
  const agents = readdirSync(join(root, ADAPTERS))
    .filter((name) => existsSync(join(root, ADAPTERS, name, 'adapter.json')))
    .sort()
    .map((name) => ({
      name,
      key: `'${name}'`,
      variable: name.replaceAll(/\W+(\w?)/g, (_, next) => next.toUpperCase()),
      code: existsSync(join(root, ADAPTERS, name, 'adapter.ts')),
    }));
  return { 'src/kernel/agent-names.ts': names(agents), [`${ADAPTERS}/table.ts`]: table(agents) };
}

/** One line for each: a merge of two branches that both add an agent is easy, or easily written again. */
function names(agents) {
  return `${WARNING}
/** The agent CLIs that loopwright knows, as settings name them. */
// biome-ignore format: one line for each
export const AGENT_NAMES = [
${agents.map(({ key }) => `  ${key},`).join('\n')}
] as const;
export type AgentName = (typeof AGENT_NAMES)[number];
`;
}

function table(agents) {
  const imports = agents.map(({ name, variable, code }) =>
    code
      ? `import { agent as ${variable} } from './${name}/adapter.ts';`
      : `import ${variable} from './${name}/adapter.json' with { type: 'json' };`,
  );
  const entries = agents.map(({ name, key, variable, code }) => {
    const value = code ? variable : `{ definition: ${variable} }`;
    return name === value ? `  ${name},` : `  ${name === variable ? name : key}: ${value},`;
  });
  return `${WARNING}
import type { AgentName } from '../../kernel/agent-names.ts';
import type { BuiltInAgent } from './built-in-agent.ts';
${imports.join('\n')}

export const BUILT_IN_AGENTS: { readonly [name in AgentName]: BuiltInAgent } = {
${entries.join('\n')}
};
`;
}

/** Only what differs is written, so that a build does not touch what has not changed. */
export function writeAgentIndex(root) {
  for (const [file, content] of Object.entries(agentIndex(root))) {
    const path = join(root, file);
    if (!existsSync(path) || readFileSync(path, 'utf8') !== content) writeFileSync(path, content);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeAgentIndex(dirname(dirname(fileURLToPath(import.meta.url))));
}
