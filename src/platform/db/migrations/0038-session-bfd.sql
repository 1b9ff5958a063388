-- Expand: the release before can still run.

-- Whether the edge runs BFD (RFC 5880) for the session of each family. Off unless the customer wants it.
alter table transit_connections
  add column bfd4 boolean not null default false,
  add column bfd6 boolean not null default false;

-- As the edge last told; null where it runs none.
alter table transit_sessions
  add column bfd text check (bfd in ('UP', 'DOWN', 'NO_ANSWER'));
