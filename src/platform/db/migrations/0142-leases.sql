-- One process at a time leads the workers, drives a hypervisor, drives an edge. A row with an end instead of a session lock:
-- the server keeps the lock of a client that vanished or froze for hours. See docs/decisions/0022-leases.md.
create table leases (
  key text primary key check (char_length(key) between 1 and 100),
  -- Unique to one process and one start of it.
  holder text not null check (char_length(holder) <= 200),
  epoch bigint not null,
  -- The same process in words that lead a person to it.
  process text not null check (char_length(process) <= 200),
  acquired_at timestamptz not null,
  renewed_at timestamptz not null,
  expires_at timestamptz not null,
  -- Makes epoch a key column: a take-over then waits for FOR KEY SHARE of the holder's transactions, a renewal does not.
  unique (key, epoch)
);

-- Who drives, since when, and that it lives, is what the lease says.
alter table hypervisor_drivers drop column term, drop column process, drop column since, drop column seen_at;
alter table transit_edge_drivers drop column term, drop column process, drop column since, drop column seen_at;
alter table transit_edge_drivers add check (num_nonnulls(kind, why, router_id) in (0, 3));
