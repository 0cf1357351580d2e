/** What a runtime works on. */
export const ROLES = ['worker', 'tester', 'docser'] as const;
export type Role = (typeof ROLES)[number];

/** Where the changes of a task go. */
export const REPOSITORY_MODES = ['github', 'local-git', 'direct'] as const;
export type RepositoryMode = (typeof REPOSITORY_MODES)[number];

/** Whose words a task is made of. */
export const TASK_ORIGINS = ['person', 'imported'] as const;
export type TaskOrigin = (typeof TASK_ORIGINS)[number];

/** Said by a person about a goal that is about tests. */
export const TESTS_MAY_CHANGE = 'may-change';

/** Who looks at what a task delivered before it counts as done. */
export const REVIEWS = ['person', 'none'] as const;
export type Review = (typeof REVIEWS)[number];
