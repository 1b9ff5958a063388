-- Expand: the release before can still run.
-- What somebody asks of an edge while they wait (decision 40). Rows live for seconds, so a crash may take them.
create unlogged table edge_questions (
  id bigint generated always as identity primary key,
  edge_id int not null references transit_edges on delete cascade,
  user_id int not null references users on delete cascade,
  asked_at timestamptz not null default now(),
  question jsonb not null,
  -- Null while it waits.
  answer jsonb
);
create index edge_questions_waiting on edge_questions (edge_id, id) where answer is null;
create index edge_questions_asked on edge_questions (asked_at);
