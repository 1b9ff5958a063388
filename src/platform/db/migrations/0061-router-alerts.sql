-- Expand: the release before can still run.

-- Since when a router that should run does not, and when its owner was emailed of it.
alter table routers add column trouble_since timestamptz, add column trouble_emailed_at timestamptz;
create index routers_trouble on routers (id) where trouble_since is not null;
