import type { ResolvedManifest } from '../../manifest/resolved.ts';
import type { OpenProject } from '../open.ts';
import { findSession } from './list.ts';

/** The manifest that a session runs on: the one it was started with, or took up since. */
export async function manifest({ sessions }: OpenProject, written: string): Promise<ResolvedManifest> {
  return sessions.load(findSession(sessions, written)).manifest;
}
