-- Expand: the release before can still run.
alter table transit_sessions
  -- Since when a session that was established is not; null while it is, and before it ever was.
  add column down_since timestamp with time zone,
  -- When its owner was told of that.
  add column alerted_at timestamp with time zone;
