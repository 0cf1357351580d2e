/** Version 6: whether a run got anywhere, and how often its owner died before it did. */
export const ADVANCE: readonly string[] = [
  'alter table lease add column deaths integer not null default 0',
  'alter table run add column advanced integer not null default 0',
];
