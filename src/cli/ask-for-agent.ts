import type { Project } from '../project/project.ts';
import type { WorkRequest } from '../project/runtime/work.ts';
import { askQuestion } from './ask.ts';
import type { Cli } from './cli.ts';

/** On first use, from those that are here; without an answer the start says what is missing. */
export async function askForAgent(
  { screen }: Cli,
  project: Project,
  role?: WorkRequest['role'],
): Promise<boolean> {
  const choices = await project.agentChoices(role);
  if (!choices || choices.length === 0) return false;
  const question = { question: 'Which agent does the work?', choices };
  const agent = await askQuestion(screen, question, new AbortController().signal);
  if (agent === undefined) return false;
  const { file } = await project.chooseAgent(agent);
  screen.line(screen.style.dim(`${agent} is written down in ${file}`));
  return true;
}
