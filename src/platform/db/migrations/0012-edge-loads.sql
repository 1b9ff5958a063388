-- Expand: the release before can still run.

-- What each load of an edge changed, compared with what the edge itself ran before it.
create table transit_edge_loads (
  id bigint primary key generated always as identity,
  edge_id integer not null references transit_edges (id) on delete cascade,
  at timestamp with time zone not null,
  -- WAITING: it would drop more than it may, and a person has to confirm it.
  state text not null check (state in ('WAITING', 'CONFIRMED', 'LOADING', 'LOADED', 'FAILED', 'SUPERSEDED')),
  generation text not null,
  previous_generation text,
  -- Per customer, complete: a revert walks back along them.
  changes jsonb not null,
  customers_added integer not null,
  customers_removed integer not null,
  prefixes_added integer not null,
  prefixes_removed integer not null,
  -- What it would drop, as a digest: a confirmation is for exactly that. Null when it drops less than a person is asked for.
  dropped text,
  -- Why a person is asked, or why it failed.
  detail text,
  -- Who decided what since the load before: [{"actor", "action"}].
  causes jsonb not null,
  audit_id bigint not null,
  confirmed_by integer references users (id) on delete set null,
  confirmed_at timestamp with time zone,
  confirmed_reason text check (char_length(confirmed_reason) <= 500)
);
create index transit_edge_loads_edge on transit_edge_loads (edge_id, id desc);
create unique index transit_edge_loads_open on transit_edge_loads (edge_id)
  where state in ('WAITING', 'CONFIRMED', 'LOADING', 'FAILED');

alter table transit_edges
  -- The load to whose prefixes staff took the edge back, until they end that.
  add column reverted_to bigint,
  add column reverted_at timestamp with time zone,
  add column reverted_by integer references users (id) on delete set null,
  add column reverted_reason text check (char_length(reverted_reason) <= 500),
  -- [{"id", "status", "decidedAt"}]: the prefixes, as they were then. One that was decided against since is not carried.
  add column reverted_prefixes jsonb,
  -- Prefixes of that load that may not come back.
  add column reverted_missing integer,
  add check ((reverted_to is null) = (reverted_at is null)),
  add check ((reverted_to is null) = (reverted_prefixes is null));
