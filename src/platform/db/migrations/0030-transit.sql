-- IP transit: one connection for each customer, prefixes, and what the edge says of both.

-- For `user_id with <>` in the exclusion below; a trusted extension, so the owner of the database may create it.
create extension if not exists btree_gist;

create table transit_connections (
  -- The edge's number for this customer: names of its sessions and filters derive from it, six digits at most.
  id integer generated always as identity primary key check (id between 1 and 999999),
  user_id integer not null unique references users (id) on delete cascade,
  as_set text,
  as_set_status text check (as_set_status in ('VALID', 'NOT_FOUND', 'UNKNOWN')),
  as_set_members integer,
  as_set_as_of timestamptz,
  as_set_checked_at timestamptz,
  router_id integer references routers (id) on delete set null,
  enabled boolean not null default true,
  exports text not null default 'default' check (exports in ('default', 'full', 'default-and-full')),
  password text check (password ~ '^[!#-\[\]-~]{1,80}$'),
  -- When the edge last told which routes it hears from this customer.
  routes_seen_at timestamptz,
  created_at timestamptz not null default now()
);
create index transit_connections_router on transit_connections (router_id) where router_id is not null;
create index transit_connections_as_set on transit_connections (as_set_checked_at nulls first) where as_set is not null;

create table transit_prefixes (
  id integer generated always as identity primary key,
  user_id integer not null references users (id) on delete cascade,
  value cidr not null,
  status text not null default 'PENDING'
    check (status in ('PENDING', 'NEEDS_ACTION', 'APPROVED', 'REJECTED', 'SUSPENDED', 'WITHDRAWN')),
  status_reason text,
  -- Suspended because the ASN changed, not by staff: judged anew by itself once the new ASN is verified.
  displaced boolean not null default false check (not displaced or status = 'SUSPENDED'),
  announcement_type text not null check (announcement_type in ('ORIGIN', 'DOWNSTREAM', 'STATIC')),
  -- Named by the customer when it asked; origin_asn is the one in force.
  requested_origin bigint check (requested_origin between 1 and 4294967295),
  origin_asn bigint check (origin_asn between 1 and 4294967295),
  membership text not null default 'UNKNOWN'
    check (membership in ('MEMBER', 'STRANGER', 'NO_SET', 'UNKNOWN', 'NOT_NEEDED')),

  rpki_status text not null default 'UNKNOWN' check (rpki_status in ('VALID', 'INVALID', 'NOT_FOUND', 'UNKNOWN')),
  rpki_reason text check (rpki_reason in ('AS', 'LENGTH')),
  rpki_vrps jsonb not null default '[]',
  rpki_as_of timestamptz,
  -- The last verdict that was more than UNKNOWN, kept beside it while a source is away.
  rpki_good_status text,
  rpki_good_as_of timestamptz,
  irr_status text not null default 'UNKNOWN' check (irr_status in ('VALID', 'INVALID', 'NOT_FOUND', 'UNKNOWN')),
  irr_objects jsonb not null default '[]',
  irr_as_of timestamptz,
  irr_good_status text,
  irr_good_as_of timestamptz,
  checked_at timestamptz,
  check_after timestamptz not null default now(),
  -- An approved prefix whose proof broke, since when.
  flagged_at timestamptz,

  decided_by integer references users (id) on delete set null,
  decided_at timestamptz,
  -- Held by the filter that the edge confirmed; null as soon as it no longer is, whatever the status says.
  imported_at timestamptz,
  imported_generation text,
  -- What the edge hears of it. Each is null while it is not so.
  received_at timestamptz,
  accepted_at timestamptz,
  exported_at timestamptz,
  refusal smallint,
  created_at timestamptz not null default now(),
  withdrawn_at timestamptz,
  constraint transit_prefixes_one_holder exclude using gist (value inet_ops with &&, user_id with <>)
    where (status in ('PENDING', 'NEEDS_ACTION', 'APPROVED', 'SUSPENDED')),
  constraint transit_prefixes_unspecific check (masklen(value) > 0)
);
create unique index transit_prefixes_once on transit_prefixes (user_id, value)
  where status in ('PENDING', 'NEEDS_ACTION', 'APPROVED', 'SUSPENDED');
create index transit_prefixes_user on transit_prefixes (user_id, id desc);
create index transit_prefixes_status on transit_prefixes (status, id desc);
create index transit_prefixes_check on transit_prefixes (check_after)
  where status in ('PENDING', 'NEEDS_ACTION', 'APPROVED', 'SUSPENDED');
create index transit_prefixes_imported on transit_prefixes (id) where imported_at is not null;

create table transit_edges (
  id smallint primary key,
  wanted_generation text,
  running_generation text,
  applied_at timestamptz,
  attempted_at timestamptz,
  -- When the edge last told of its sessions.
  observed_at timestamptz,
  error_kind text,
  error text
);
insert into transit_edges (id) values (1);

create table transit_sessions (
  connection_id integer not null references transit_connections (id) on delete cascade,
  family smallint not null check (family in (4, 6)),
  state text not null
    check (state in ('IDLE', 'CONNECT', 'ACTIVE', 'OPENSENT', 'OPENCONFIRM', 'ESTABLISHED', 'DISABLED')),
  since timestamptz,
  received integer not null,
  accepted integer not null,
  exported integer not null,
  last_error text,
  primary key (connection_id, family)
);

create table transit_session_events (
  id bigint generated always as identity primary key,
  connection_id integer not null references transit_connections (id) on delete cascade,
  family smallint not null check (family in (4, 6)),
  at timestamptz not null,
  from_state text,
  to_state text not null,
  error text
);
create index transit_session_events_connection on transit_session_events (connection_id, id desc);
