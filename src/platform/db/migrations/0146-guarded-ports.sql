-- Why the ports of a host's routers are not kept to their own addresses; null where they are.
alter table hypervisors add column ports_fault text;
