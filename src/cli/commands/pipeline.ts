import { UsageError } from '../../kernel/errors.ts';
import { isJsonObject } from '../../kernel/json.ts';
import { isStageWorkflow } from '../../manifest/stages/compile.ts';
import { findProject } from '../../project/place.ts';
import { readWorkflow } from '../../project/runs/workflow.ts';
import type { Screen } from '../output.ts';
import { type RunOptions, run } from './run.ts';

export type PipelineOptions = Omit<RunOptions, 'workflow' | 'start'>;

/** Runs the stages of a file one after the other, the tasks of each side by side. */
export async function pipeline(
  screen: Screen,
  file: string,
  goal: string | undefined,
  options: PipelineOptions,
): Promise<number> {
  const { document, name } = readWorkflow(findProject(options.dir), undefined, file);
  if (!isJsonObject(document) || !isStageWorkflow(document)) {
    throw new UsageError(`${name} is not a pipeline: it has no "stages".`, {
      next: `A graph of blocks is run with: loopwright run "<goal>" --workflow ${file}`,
    });
  }
  const fallback = typeof document['goal'] === 'string' ? document['goal'] : document['id'];
  const named = goal ?? (typeof fallback === 'string' ? fallback : name);
  return run(screen, named, { ...options, workflow: file });
}
