-- Expand: the release before can still run.
alter table transit_edges
  -- What the edge itself said of its RPKI; null before it did, and of one that validates nothing.
  add column rpki_vrps integer,
  -- Its RTR sessions: [{"name", "up", "status"}].
  add column rpki_caches jsonb,
  add column rpki_seen_at timestamp with time zone,
  -- Why its origin validation cannot be relied on.
  add column rpki_error text;
