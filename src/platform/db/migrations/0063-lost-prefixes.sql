-- Expand: the release before can still run.

-- When an approved prefix left the upstreams; null while it is announced, and where it never was.
alter table transit_prefixes add column lost_at timestamptz;
