/** What research jobs have found. */
export const RESEARCH_SCHEMA: readonly string[] = [
  `create table research_claim (
    id integer primary key,
    job text not null,
    key text not null,
    text text not null,
    status text not null check (status in ('open', 'confirmed', 'provisional', 'refuted')),
    confidence real,
    unique (job, key)
  )`,
  `create table research_evidence (
    id integer primary key,
    claim integer not null references research_claim (id) on delete cascade,
    url text not null,
    title text not null,
    quote text not null,
    stance text not null check (stance in ('supports', 'refutes')),
    unique (claim, url)
  )`,
  `create table research_report (
    job text primary key,
    at integer not null,
    confidence real,
    body text not null
  ) without rowid`,
];
