-- When the host last answered: orders wait for one that did lately.
alter table hypervisors add answered_at timestamptz;
update hypervisors set answered_at = connected_at;

-- Its machine was told to start, so that its disk may hold what its owner keeps there. It stays on its host from then on.
alter table routers add booted boolean not null default false;
update routers set booted = true where boot_at is not null or reachable_at is not null or observed <> 'absent';

-- Hosts that could not make a router, from where it went to another. What is left of it there is removed.
create table router_moves (
  router_id integer not null references routers on delete cascade,
  hypervisor_id integer not null references hypervisors on delete cascade,
  at timestamptz not null,
  primary key (router_id, hypervisor_id)
);
