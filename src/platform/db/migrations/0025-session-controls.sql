-- Expand: the release before can still run.

alter table transit_connections
  -- Why the customer shut the sessions down: their router hears it (RFC 9003). Null while they are enabled.
  add column shutdown_message text check (octet_length(shutdown_message) between 1 and 128),
  -- A last resort until then (RFC 8326). Cleared when it ends.
  add column drain_until timestamp with time zone,
  -- Routes that may be received, where staff granted more than comes with the approved prefixes.
  add column receive_limit4 integer check (receive_limit4 > 0),
  add column receive_limit6 integer check (receive_limit6 > 0);

-- Sessions that the edge closed because of their limit. A row keeps one down; nobody tries again while it is there.
create table transit_limit_trips (
  connection_id integer not null references transit_connections (id) on delete cascade,
  family integer not null check (family in (4, 6)),
  tripped_at timestamp with time zone not null,
  receive_limit integer not null,
  emailed_at timestamp with time zone,
  primary key (connection_id, family)
);
create index transit_limit_trips_at on transit_limit_trips (tripped_at);

create table transit_limit_requests (
  id integer generated always as identity primary key,
  user_id integer not null references users (id) on delete cascade,
  family integer not null check (family in (4, 6)),
  routes integer not null check (routes > 0),
  reason text not null,
  status text not null default 'OPEN' check (status in ('OPEN', 'GRANTED', 'DECLINED')),
  created_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  decided_by integer references users (id) on delete set null,
  decision_reason text,
  granted integer
);
create unique index transit_limit_requests_open on transit_limit_requests (user_id, family) where status = 'OPEN';
create index transit_limit_requests_user on transit_limit_requests (user_id, id desc);
create index transit_limit_requests_waiting on transit_limit_requests (id) where status = 'OPEN';
create index transit_limit_requests_staff on transit_limit_requests (decided_by);

-- Addresses whose traffic the edge drops, for a time that the customer chose.
create table transit_blackholes (
  id integer generated always as identity primary key,
  user_id integer not null references users (id) on delete cascade,
  address inet not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone
);
create unique index transit_blackholes_address on transit_blackholes (user_id, address) where ended_at is null;
create index transit_blackholes_user on transit_blackholes (user_id, id desc);
create index transit_blackholes_expiry on transit_blackholes (expires_at) where ended_at is null;
