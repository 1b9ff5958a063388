-- What staff work on from the screens: sites and segments that take nothing new, a host that is emptied, an edge in
-- maintenance; and the state of a router as a column, so that a list of those in one state is a walk along an index.

alter table sites add closed_at timestamptz;
alter table address_pools add closed_at timestamptz;

-- Since when and why a host takes no new routers. One that was drained before nobody asked why.
alter table hypervisors
  add drained_at timestamptz,
  -- How many routers it had then: what is left of them is how far it is.
  add drained_from integer,
  add drain_reason text check (char_length(drain_reason) <= 500);
update hypervisors set drained_at = now() where drained;

-- While it is set every customer of the edge is a last resort (RFC 8326), so that traffic leaves before it is worked on.
alter table transit_edges
  add maintenance_since timestamptz,
  add maintenance_reason text check (char_length(maintenance_reason) <= 500),
  add check ((maintenance_since is null) = (maintenance_reason is null));

-- The same as viewState in src/routers/states.ts, which a test holds it to.
alter table routers add state text not null generated always as (
  case
    when wish = 'absent' then 'DELETING'
    when suspended then case when observed in ('off', 'absent', 'crashed') then 'SUSPENDED' else 'STOPPING' end
    when failure is not null then 'FAILED'
    when task = 'reinstall' then 'REINSTALLING'
    when task = 'resize' then 'RESIZING'
    when task is not null then case when reachable_at is not null then 'REBOOTING' else 'CREATING' end
    when wish = 'stopped' then case when observed in ('off', 'absent', 'crashed') then 'STOPPED' else 'STOPPING' end
    when reachable_at is null then 'CREATING'
    when observed = 'running' and ready_at is not null then 'RUNNING'
    else 'STARTING'
  end
) stored;
create index routers_state on routers (state, id desc);
create index routers_site on routers (site_id, id desc);
