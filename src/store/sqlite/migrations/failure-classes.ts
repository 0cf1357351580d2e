/** Version 9: why the last attempt failed, how often it did for each reason, and why a task waits. */
export const FAILURE_CLASSES: readonly string[] = [
  'alter table task add column failure_class text',
  "alter table task add column failures text not null default '{}'",
  'alter table task add column wait_cause text',
  "alter table agent_block add column cause text not null default 'quota'",
];
