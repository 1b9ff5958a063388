-- Expand: the release before can still run.

-- What registries list for the ASN of an account and for the members of its AS-SET: its last import, under way or finished. It requests nothing.
create table prefix_imports (
  user_id integer primary key references users (id) on delete cascade,
  started_at timestamp with time zone not null,
  -- Null while it is under way.
  finished_at timestamp with time zone,
  as_set text,
  -- Why the members of the AS-SET were left out.
  as_set_problem text check (as_set_problem in ('not_own', 'not_found')),
  -- Origins, the own ASN first; null until the AS-SET is expanded.
  asns jsonb,
  -- How many of them have been read.
  read integer not null default 0,
  prefixes jsonb not null default '[]',
  -- Route objects that nobody could request: too specific, or reserved space.
  skipped integer not null default 0,
  -- There is more than an import reads.
  truncated boolean not null default false,
  failure text check (failure in ('unavailable', 'not_verified'))
);
create index prefix_imports_due on prefix_imports (started_at) where finished_at is null;
