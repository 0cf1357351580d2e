import type { JsonObject, JsonValue } from '../kernel/json.ts';
import { isGenuine } from '../manifest/origin.ts';
import type { ExecutionPayload } from '../manifest/segment.ts';
import type { InspectInput } from '../verification/proof/evidence.ts';
import { unknownParameters } from './parameters.ts';
import type { InspectionPort } from './services.ts';
import { pathsIn } from './task-flow/segments.ts';
import { taskOf } from './task-flow/task-block.ts';

/** A person said that the goal is about tests, before the work began. */
export const TESTS_MAY_CHANGE = 'TESTS_MAY_CHANGE';
/** Paths that a person named, each by itself, before the work began. */
export const PATHS_NAMED = 'PATHS_NAMED';

const KNOWN = ['task', 'rules', 'oldTests', 'mend'];
const WHEN = ['changed', 'always', 'off'] as const;

export function inspectionProblems(parameters: JsonObject): string[] {
  const { oldTests, mend = true } = parameters;
  const wrong = oldTests !== undefined && whenOf(oldTests) === undefined;
  return [
    ...unknownParameters(parameters, KNOWN),
    ...(typeof mend === 'boolean' ? [] : ['"mend" must be true or false.']),
    ...(wrong ? [`"oldTests" must be one of ${WHEN.join(', ')}.`] : []),
  ];
}

/** Whether an agent comes behind the block that can put right what it did. */
export function canBeMended({ mend = true }: JsonObject): boolean {
  return mend === true;
}

type Settings = Pick<
  InspectInput,
  'opened' | 'testsMayChange' | 'ownsTests' | 'oldTests' | 'onlyTold' | 'reports' | 'redGreen'
>;
type When = InspectInput['oldTests'];

/** What a person has said about the checks: with the task, or when the session was started. */
export function inspectionSettings(
  parameters: JsonObject,
  payload: ExecutionPayload,
  {
    oldTests,
    onlyTold,
    reports,
    opened,
  }: Pick<InspectionPort, 'oldTests' | 'onlyTold' | 'reports' | 'opened'>,
): Settings {
  const task = parameters['task'] === undefined ? undefined : taskOf(parameters).task;
  return {
    opened: [...(task?.allowedPaths ?? []), ...pathsIn(payload, PATHS_NAMED), ...opened()],
    testsMayChange:
      (task?.testsMayChange ?? false) || payload.some((segment) => isGenuine(segment, TESTS_MAY_CHANGE)),
    ownsTests: task?.role === 'tester',
    redGreen: task?.redGreen ?? false,
    oldTests: whenOf(parameters['oldTests']) ?? oldTests,
    onlyTold,
    reports,
  };
}

function whenOf(value: JsonValue | undefined): When | undefined {
  return WHEN.find((word) => word === value);
}
