-- Expand: the release before can still run.

-- How often a session left Established within 24 hours, kept to sort by, and when the oldest of them is that long ago.
alter table transit_sessions add column flaps integer not null default 0, add column flaps_until timestamptz;
update transit_sessions session set flaps = counted.flaps, flaps_until = counted.until
  from (
    select connection_id, family, count(*) as flaps, min(at) + interval '24 hours' as until
      from transit_session_events where from_state = 'ESTABLISHED' and at > now() - interval '24 hours'
      group by connection_id, family
  ) counted
  where counted.connection_id = session.connection_id and counted.family = session.family;
create index transit_sessions_flaps_until on transit_sessions (flaps_until) where flaps_until is not null;

-- The staff's list of sessions in the orders of its headers, a page at a time. Counts of routes change every few seconds and have none.
create index transit_sessions_by_since on transit_sessions (coalesce(since, 'epoch'), connection_id, family);
create index transit_sessions_by_state on transit_sessions (
  (case state when 'ESTABLISHED' then 2 when 'DISABLED' then 1 else 0 end), coalesce(since, 'epoch'), connection_id, family
);
create index transit_sessions_by_flaps on transit_sessions (flaps, connection_id, family);
drop index transit_connections_edge;
create index transit_connections_edge on transit_connections (edge_id, id) where edge_id is not null;
