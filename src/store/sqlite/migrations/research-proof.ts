/** Version 8: which pages an agent really fetched, and what it searched for against a claim. */
export const RESEARCH_PROOF: readonly string[] = [
  'alter table research_evidence add column fetched integer not null default 0',
  `create table research_search (
    id integer primary key,
    claim integer not null references research_claim (id) on delete cascade,
    query text not null,
    unique (claim, query)
  )`,
];
