-- Expand: the release before can still run.

-- BGP sessions of an edge that its operator configured, as the edge reports them. Customers see none of it.
create table transit_upstreams (
  edge_id integer not null references transit_edges (id) on delete cascade,
  name text not null,
  asn bigint not null,
  address text not null,
  state text not null,
  since timestamp with time zone,
  received integer not null,
  exported integer not null,
  last_error text,
  -- Since when it is not established though its operator wants it.
  down_since timestamp with time zone,
  -- When staff were told that it is down; null again once they were told that it is back.
  alerted_at timestamp with time zone,
  primary key (edge_id, name)
);
-- `upstreams_at`: when the edge last reported them, null before it did. `upstreams_error`: those that are down, in words.
alter table transit_edges
  add column upstreams_at timestamp with time zone,
  add column upstreams_error text;
