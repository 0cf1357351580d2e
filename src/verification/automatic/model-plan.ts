import { isJsonObject, type JsonValue } from '../../kernel/json.ts';
import { findJson } from '../../manifest/output/find-json.ts';
import type { TaskFacts } from '../task-facts.ts';

/** Asks a model something small, outside the running agent's conversation; undefined when it has no answer. */
export type Decide = (question: {
  readonly purpose: 'verification-plan';
  readonly prompt: string;
  readonly cwd: string;
  readonly timeoutMs: number;
}) => Promise<string | undefined>;

export interface ModelPlanQuestion {
  readonly task: TaskFacts;
  readonly changed: readonly string[];
  readonly root: string;
  readonly most: number;
  readonly retries: number;
  readonly timeoutMs: number;
}

/** The commands a model would run. An answer that cannot be read is asked for again; none at all is an empty plan. */
export async function askForPlan(decide: Decide, question: ModelPlanQuestion): Promise<string[]> {
  const prompt = planPrompt(question);
  for (let attempt = 0; attempt <= question.retries; attempt++) {
    const { root: cwd, timeoutMs } = question;
    const text = await decide({ purpose: 'verification-plan', prompt, cwd, timeoutMs });
    if (text === undefined) return [];
    const commands = readPlan(text);
    if (commands) return commands;
  }
  return [];
}

function readPlan(text: string): string[] | undefined {
  for (const value of findJson(text)) {
    const list = isJsonObject(value) ? value.commands : value;
    if (isTexts(list)) return list.map((command) => command.trim()).filter((command) => command !== '');
  }
  return undefined;
}

function isTexts(value: JsonValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function planPrompt({ task, changed, most }: ModelPlanQuestion): string {
  return [
    'Which commands show that this change is right? Look at the scripts and build files of the project; do not change anything.',
    `Task: ${task.title}\n${task.goal}`,
    `Changed files:\n${changed.map((path) => `- ${path}`).join('\n')}`,
    `These are run already: ${task.commands.length === 0 ? 'none' : task.commands.join(', ')}`,
    `At most ${most}. They are started without a shell: no pipes, redirections, ";" or "$()"; "&&" and "cd folder && command" work. None may need the network, start a server or watch.`,
    'Answer with JSON only: {"commands": ["..."]}',
  ].join('\n\n');
}
