-- Why the neighbour tables of an edge do not hold what the leases say, and when they were last compared with them.
alter table transit_edges
  add column neighbors_error text,
  add column neighbors_at timestamptz;
