import { isGenuine } from '../manifest/origin.ts';
import { type ContextSegment, type ExecutionPayload, isFact } from '../manifest/segment.ts';
import { SUCCESS, type Worker } from '../manifest/worker.ts';
import { answer } from './answer.ts';
import { WRITE_TYPES } from './file-writer/write-requests.ts';
import { unknownParameters } from './parameters.ts';

const NO_CHANGE = 'SIGNAL:NO_CHANGE';

/** Whether anything was written, or is to be, since a check ran: then what it said holds no more. */
export const checkDocs: Worker = {
  signals: [SUCCESS, NO_CHANGE],
  changesFiles: false,
  checkWith: (parameters) => unknownParameters(parameters, []),
  async run(context, run) {
    return answer(hasNews(context.execution_payload) ? SUCCESS : NO_CHANGE, context, run);
  },
};

const CHECKS = ['LINT_RESULT', 'TEST_RESULT', 'BUILD_RESULT'];

function hasNews(payload: ExecutionPayload): boolean {
  const last = payload.findLastIndex((segment) => CHECKS.some((type) => isGenuine(segment, type)));
  return payload.slice(last + 1).some(isChange);
}

function isChange(segment: ContextSegment): boolean {
  return WRITE_TYPES.includes(segment.type) || (segment.type === 'NEW_FILES_IDENTIFIED' && isFact(segment));
}
