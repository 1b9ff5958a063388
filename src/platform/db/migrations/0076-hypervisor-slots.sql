-- Expand: the release before can still run.

-- The load of each hypervisor in slots of five minutes: sums over the readings of its facts, and what its routers
-- carried in `seconds` of the slot.
create table hypervisor_slots (
  hypervisor_id integer not null references hypervisors (id) on delete cascade,
  slot timestamptz not null,
  readings integer not null default 0,
  cpu_usage real not null default 0,
  memory_usage real not null default 0,
  seconds real not null default 0,
  rx_bytes bigint not null default 0,
  tx_bytes bigint not null default 0,
  primary key (hypervisor_id, slot)
) with (fillfactor = 70);
create index hypervisor_slots_age on hypervisor_slots using brin (slot);
