-- Expand: the release before can still run.

-- Work that staff announce before it begins (decision 43).
create table maintenance_windows (
  id integer generated always as identity primary key,
  title text not null,
  effect text not null check (effect in ('AT_RISK', 'SESSIONS_DOWN', 'ROUTERS_DOWN')),
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  -- All sites, hypervisors and edges; else those of maintenance_targets.
  everywhere boolean not null,
  -- Grows with each change of which customers are told.
  revision integer not null default 1,
  created_by integer references users (id) on delete set null,
  created_at timestamp with time zone not null,
  cancelled_at timestamp with time zone,
  cancelled_reason text,
  -- When all customers had been told of this revision; null until then.
  announced_at timestamp with time zone,
  check (ends_at > starts_at),
  check ((cancelled_at is null) = (cancelled_reason is null))
);
create index maintenance_windows_open on maintenance_windows (ends_at);
create index maintenance_windows_created_by on maintenance_windows (created_by);

create table maintenance_targets (
  window_id integer not null references maintenance_windows (id) on delete cascade,
  site_id integer references sites (id) on delete cascade,
  hypervisor_id integer references hypervisors (id) on delete cascade,
  edge_id integer references transit_edges (id) on delete cascade,
  check (num_nonnulls(site_id, hypervisor_id, edge_id) = 1)
);
create index maintenance_targets_window on maintenance_targets (window_id);
create index maintenance_targets_site on maintenance_targets (site_id);
create index maintenance_targets_hypervisor on maintenance_targets (hypervisor_id);
create index maintenance_targets_edge on maintenance_targets (edge_id);

-- Which customer was told of which revision.
create table maintenance_notices (
  window_id integer not null references maintenance_windows (id) on delete cascade,
  user_id integer not null references users (id) on delete cascade,
  revision integer not null,
  told_at timestamp with time zone not null,
  primary key (window_id, user_id)
);
create index maintenance_notices_user on maintenance_notices (user_id);
