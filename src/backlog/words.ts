/** The words of the backlog, each spelled here and nowhere else. */
export const STATES = ['queued', 'running', 'blocked', 'failed', 'done', 'cancelled'] as const;
export type TaskState = (typeof STATES)[number];

export const BLOCK_REASONS = ['awaiting_judge', 'quota_wait', 'needs_rework'] as const;
export type BlockReason = (typeof BLOCK_REASONS)[number];

export const RUN_STATES = ['running', 'success', 'failed', 'cancelled'] as const;
export type RunState = (typeof RUN_STATES)[number];

export const KINDS = ['code', 'research'] as const;
export type TaskKind = (typeof KINDS)[number];

/** Of a session in line with its change plan. */
export const PLAN_STATUSES = ['waiting', 'active', 'held'] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];

export const RUNTIME_STATES = ['idle', 'busy', 'stopping'] as const;
export type RuntimeState = (typeof RUNTIME_STATES)[number];

export const FINDING_STATUSES = ['open', 'confirmed', 'provisional', 'refuted'] as const;
export type FindingStatus = (typeof FINDING_STATUSES)[number];
