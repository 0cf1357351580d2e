import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Review, type ReviewComment, reviewShape } from '../../api/views/review.ts';
import { LoopwrightError, StorageError } from '../../kernel/errors.ts';
import { readPlainIfThere } from '../../process/plain-file.ts';
import { diffFile } from '../files/diff.ts';
import { maskedText } from '../masked.ts';
import type { OpenProject } from '../open.ts';
import { findSession } from '../sessions/list.ts';
import { anchored } from './anchor.ts';

export type { Review, ReviewComment };

const NONE: Review = { summary: '', comments: [], viewed: {} };

/** The comments on what a session changed, each where its lines are now. */
export async function readReview(
  opened: OpenProject,
  written: string,
): Promise<Review & { session: string }> {
  const session = findSession(opened.sessions, written);
  const saved = load(opened, session);
  const comments = await Promise.all(saved.comments.map((each) => moved(opened, session, each)));
  return { session, ...saved, comments };
}

/** Keeps the drafts of a person; what was sent stays as it was sent. */
export async function saveReview(
  opened: OpenProject,
  written: string,
  said: Review,
): Promise<Review & { session: string }> {
  const session = findSession(opened.sessions, written);
  const sent = load(opened, session).comments.filter(({ state }) => state === 'sent');
  const ids = new Set(sent.map(({ id }) => id));
  const drafts = said.comments.filter(({ id, state }) => state !== 'sent' && !ids.has(id));
  keep(opened, session, { ...said, comments: [...sent, ...drafts.map((each) => masked(opened, each))] });
  return readReview(opened, session);
}

/** Marks the drafts as sent: the next step of the session is the answer to them. */
export function markSent(opened: OpenProject, session: string, step: number): void {
  const saved = load(opened, session);
  const comments = saved.comments.map(
    (each): ReviewComment => (each.state === 'sent' ? each : { ...each, state: 'sent', sentAt: step }),
  );
  keep(opened, session, { ...saved, summary: '', comments });
}

export function removeReview({ project }: Pick<OpenProject, 'project'>, session: string): void {
  rmSync(fileOf(project.folder, session), { force: true });
}

function masked(opened: OpenProject, each: ReviewComment): ReviewComment {
  return { ...each, text: maskedText(opened, each.text) };
}

/** A line that is found once near where it was moves with it; otherwise the comment stays readable as outdated. */
async function moved(opened: OpenProject, session: string, each: ReviewComment): Promise<ReviewComment> {
  const { path, side = 'after', from, quote, state } = each;
  if (state === 'sent' || path === undefined || from === undefined || quote === undefined) return each;
  try {
    const file = await diffFile(opened, session, path);
    const text = side === 'after' ? file.after : file.before;
    const place = text === null ? undefined : anchored(text, { from, quote });
    if (place === undefined) return { ...each, state: 'outdated' };
    return { ...each, state: 'draft', from: place.from, to: place.to };
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
    return { ...each, state: 'outdated' };
  }
}

function fileOf(folder: string, session: string): string {
  return join(folder, 'reviews', `${session}.json`);
}

function load({ project }: OpenProject, session: string): Review {
  const file = fileOf(project.folder, session);
  const text = readPlainIfThere(file);
  if (text === undefined) return NONE;
  try {
    return reviewShape.parse(JSON.parse(text));
  } catch (cause) {
    throw new StorageError(`${file} is not a review that can be read.`, {
      next: 'Move it away; nothing else needs it.',
      cause,
    });
  }
}

function keep({ project }: OpenProject, session: string, value: Review): void {
  const file = fileOf(project.folder, session);
  mkdirSync(join(project.folder, 'reviews'), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
  renameSync(temporary, file);
}
