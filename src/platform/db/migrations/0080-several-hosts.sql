-- Who drives which hypervisor: written by the process that holds its lock, which lives while `seen_at` is young. By the
-- name and not by the row: a process may be there before anybody has added its hypervisor. A table of its own, because
-- orders lock the rows of hypervisors, and a sign of life must not wait for them.
create table hypervisor_drivers (
  slug text primary key check (slug ~ '^[a-z0-9-]{1,40}$'),
  -- Whose machines and disks they are: a number that the process finds in its DATA_DIR. Null: of whoever comes first.
  installation uuid unique,
  -- Another for each time that a process takes it: what was meant for the one before is refused.
  term uuid,
  process text check (char_length(process) <= 200),
  -- Where other processes reach it.
  url text check (char_length(url) <= 500),
  since timestamptz,
  seen_at timestamptz,
  -- Another process that wants it, and why it has to wait.
  waiting text check (char_length(waiting) <= 500),
  waiting_at timestamptz,
  check (num_nonnulls(term, process, since, seen_at) in (0, 4))
);

-- What can be booted there, as it last told; null before it told.
alter table hypervisors add images jsonb;

-- Each host's process looks for what is due among its own.
drop index routers_due;
drop index routers_checked;
create index routers_due on routers (hypervisor_id, due_at) where due_at is not null;
create index routers_checked on routers (hypervisor_id, checked_at nulls first);
