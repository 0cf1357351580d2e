import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest, by what a quiet machine measured: at the end of a run nothing should be waited for alone. */
const LONGEST = [
  'test/cheating/run.test.ts',
  'test/cheating/tasks.test.ts',
  'test/workspace/kills.test.ts',
  'test/workspace/commands.test.ts',
  'test/runtime/faults.test.ts',
  'test/worktrees/kills.test.ts',
  'test/package.test.ts',
  'test/durability/kills.test.ts',
  'test/cli/workspace-waiting.test.ts',
  'test/library/project.test.ts',
  'test/modes/github.test.ts',
  'test/cli/workspace-deliver.test.ts',
  'test/runtime/verdicts.test.ts',
  'test/library/docs.test.ts',
  'test/runtime/settings.test.ts',
  'test/cli/undo.test.ts',
  'test/cli/proof.test.ts',
  'test/cli/accept-candidate.test.ts',
  'test/cli/demo.test.ts',
  'test/cli/workspace-upkeep.test.ts',
  'test/cli/workspace-back.test.ts',
  'src/workers/task-flow/ladder.test.ts',
  'test/modes/git-tampering.test.ts',
  'test/runtime/ten-tasks.test.ts',
];

/** The order of files says nothing about what they prove; only about how long the whole takes. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    return others.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const found = LONGEST.findIndex((path) => moduleId.endsWith(`/${path}`));
  return found === -1 ? LONGEST.length : found;
}
