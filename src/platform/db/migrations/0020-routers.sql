-- Virtual routers: what is for sale, where it runs, what is wanted of each and what was last seen of it.

create table sites (
  id integer generated always as identity primary key,
  slug text not null unique check (slug ~ '^[a-z0-9-]{1,40}$'),
  name text not null
);

create table hypervisors (
  id integer generated always as identity primary key,
  slug text not null unique check (slug ~ '^[a-z0-9-]{1,40}$'),
  name text not null,
  site_id integer not null references sites,
  driver text not null check (driver in ('libvirt', 'simulated')),
  -- What may be sold on it: CPUs times overcommit, MiB and GiB. Memory and disk are never sold twice.
  cpus integer not null check (cpus > 0),
  cpu_overcommit numeric(4, 2) not null default 4 check (cpu_overcommit > 0),
  memory integer not null check (memory > 0),
  disk integer not null check (disk > 0),
  drained boolean not null default false,
  -- What it says of itself. While it cannot be reached, what was last seen of its routers stays as it was.
  connected boolean not null default false,
  connected_at timestamptz,
  fault text,
  cpu_usage real check (cpu_usage between 0 and 1),
  memory_usage real check (memory_usage between 0 and 1),
  facts jsonb not null default '{}'
);
create index hypervisors_site on hypervisors (site_id);

create table images (
  id integer generated always as identity primary key,
  slug text not null unique check (slug ~ '^[a-z0-9-]{1,60}$'),
  name text not null,
  description text not null,
  -- As the hypervisors know it.
  source text not null,
  position integer not null default 0,
  retired_at timestamptz
);

create table plans (
  id integer generated always as identity primary key,
  slug text not null unique check (slug ~ '^[a-z0-9-]{1,60}$'),
  name text not null,
  cpus integer not null check (cpus between 1 and 64),
  memory integer not null check (memory between 64 and 1048576),
  disk_size integer not null check (disk_size between 1 and 65536),
  -- Minor units of the currency.
  hourly_price integer not null check (hourly_price >= 0),
  monthly_price integer not null check (monthly_price >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  position integer not null default 0,
  retired_at timestamptz
);

-- A segment that routers attach to. The n-th host has the n-th address of both families.
create table address_pools (
  id integer generated always as identity primary key,
  site_id integer not null references sites,
  prefix4 cidr not null unique check (family(prefix4) = 4 and masklen(prefix4) between 8 and 30),
  gateway4 inet not null check (gateway4 << prefix4),
  prefix6 cidr not null unique check (family(prefix6) = 6 and masklen(prefix6) between 32 and 96),
  gateway6 inet not null check (gateway6 << prefix6)
);
create index address_pools_site on address_pools (site_id);

create table routers (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  user_id integer not null references users,
  name text not null check (name ~* '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  site_id integer not null references sites,
  hypervisor_id integer not null references hypervisors,
  plan_id integer not null references plans,
  image_id integer not null references images,
  -- Of the plan when it was chosen: a plan that changes does not change routers that run.
  cpus integer not null,
  memory integer not null,
  disk_size integer not null,
  ssh_keys text[] not null default '{}',
  created_at timestamptz not null default now(),

  -- What is wanted. Whoever writes any of it raises `generation`, so that nobody settles what has just changed.
  wish text not null default 'running' check (wish in ('running', 'stopped', 'absent')),
  stop_mode text not null default 'graceful' check (stop_mode in ('graceful', 'force')),
  task text check (task in ('reboot', 'reset', 'reinstall', 'resize')),
  -- `down` until the machine is off, wiped or reset; then `up`.
  task_phase text check (task_phase in ('down', 'up')),
  suspended boolean not null default false,
  generation bigint not null default 1,
  wished_at timestamptz not null default now(),

  -- What was seen.
  observed text not null default 'absent'
    check (observed in ('absent', 'off', 'starting', 'running', 'paused', 'stopping', 'crashed', 'unknown')),
  observed_at timestamptz,
  started_at timestamptz,
  ready_at timestamptz,
  -- Digest of the machine as the hypervisor last took it, and of the routing configuration as the guest last took or refused it.
  machine_digest text,
  needs_restart boolean not null default false,
  config_digest text,
  config_at timestamptz,
  config_error text,

  -- The way of creation.
  address_at timestamptz,
  disk_at timestamptz,
  boot_at timestamptz,
  reachable_at timestamptz,

  failure text,
  failure_detail text,
  failures integer not null default 0,
  retry_at timestamptz,

  -- When to look at it again: null when nothing is to be done until something changes.
  due_at timestamptz default now(),
  checked_at timestamptz,
  check ((task is null) = (task_phase is null))
);
-- Names are host names, and those differ by more than case (RFC 4343). A router on its way out gives its name back.
create unique index routers_name on routers (user_id, lower(name)) where wish <> 'absent';
create index routers_user on routers (user_id, id desc);
create index routers_hypervisor on routers (hypervisor_id, id desc);
create index routers_due on routers (due_at) where due_at is not null;
create index routers_checked on routers (checked_at nulls first);

-- One host number of one pool for each router: that two never have the same is proved here, not in the program.
create table address_leases (
  router_id integer primary key references routers on delete cascade,
  pool_id integer not null references address_pools,
  host_number integer not null check (host_number > 0),
  address4 inet not null unique,
  address6 inet not null unique,
  unique (pool_id, host_number)
);

-- What somebody held, from when to when, at which price: written when it happens, kept when the router is gone.
create table router_spans (
  id bigint generated always as identity primary key,
  router_id integer not null,
  user_id integer not null references users,
  router_name text not null,
  plan_slug text not null,
  plan_name text not null,
  hourly_price integer not null,
  monthly_price integer not null,
  currency text not null,
  started_at timestamptz not null,
  ended_at timestamptz check (ended_at >= started_at)
);
create unique index router_spans_open on router_spans (router_id) where ended_at is null;
create index router_spans_user on router_spans (user_id, started_at);

-- Counters as last read, so that a restart of the worker loses no traffic.
create table router_counters (
  router_id integer primary key references routers on delete cascade,
  at timestamptz not null,
  cpu_ns numeric(20) not null,
  rx_bytes numeric(20) not null,
  tx_bytes numeric(20) not null
);
-- What happened in the seconds before `at`. Kept for hours.
create table router_samples (
  router_id integer not null,
  at timestamptz not null,
  seconds real not null check (seconds > 0),
  cpu_seconds real,
  memory bigint,
  rx_bytes bigint not null,
  tx_bytes bigint not null,
  primary key (router_id, at)
);
create index router_samples_age on router_samples (at);
-- The same for each five minutes of the clock, exact in bytes: the 95th percentile is computed from these.
create table router_slots (
  router_id integer not null,
  user_id integer not null,
  slot timestamptz not null,
  seconds real not null,
  cpu_seconds real,
  memory bigint,
  rx_bytes bigint not null,
  tx_bytes bigint not null,
  primary key (router_id, slot)
);
create index router_slots_user on router_slots (user_id, slot);
create index router_slots_age on router_slots (slot);

-- Stored as SHA-256 alone. Used means deleted, so that of two uses at once one finds nothing.
create table console_tickets (
  digest bytea primary key check (octet_length(digest) = 32),
  router_id integer not null references routers on delete cascade,
  user_id integer not null references users,
  session_id integer,
  kind text not null check (kind in ('serial', 'display')),
  expires_at timestamptz not null
);
create index console_tickets_expiry on console_tickets (expires_at);
create index console_tickets_router on console_tickets (router_id);
