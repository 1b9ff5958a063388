-- MiB of the host that are not for routers. Null: the larger of 1024 and 5 percent of its memory.
alter table hypervisors add memory_reserve integer check (memory_reserve >= 0);
