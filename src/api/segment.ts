/** The words that every face needs to show a history and the way a session took. */
export { type ContextSegment, contentText } from '../manifest/segment.ts';
export { FAIL_DEFAULT, LIMIT_REACHED, SUCCESS } from '../manifest/worker.ts';
