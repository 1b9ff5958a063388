-- Expand: the release before can still run.

alter table transit_edge_agents drop constraint transit_edge_agents_kind_check;
alter table transit_edge_agents add constraint transit_edge_agents_kind_check
  check (kind = any (array['bird'::text, 'openbgpd'::text, 'simulated'::text]));
