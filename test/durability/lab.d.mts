import type { ChildProcess, StdioOptions } from 'node:child_process';

export interface Tally {
  kills: number;
  runs: number;
  lost: number;
  repeated: number;
  notCompleted: number;
  outOfOrder: number;
}
export type Point = Record<string, unknown>;

export function victim(folder: string, how: string, point: Point, stdio?: StdioOptions): ChildProcess;
export function outcomeOf(
  child: ChildProcess,
): Promise<{ code: number | null; signal: string | null; text: string; errors: string }>;
export function operationsOfARun(): Promise<string[]>;
export function everyWrite(operations: string[]): Point[][];
export function everyWorker(): Point[][];
export function tally(jobs: Point[][], width?: number): Promise<Tally>;
export function tallyImages(): Promise<Tally>;
export function resumeAndJudge(
  folder: string,
): Promise<{ completed: boolean; lost: number; repeated: number; inOrder: boolean }>;
export function tempFolder(): string;
