-- Expand: the release before can still run.

-- What reverse DNS had at the last look for the token of each prefix.
create table prefix_reverse_dns (
  prefix_id integer primary key references transit_prefixes (id) on delete cascade,
  -- One for each reverse zone: its name, and what the resolver said of it.
  records jsonb not null default '[]',
  -- Since when no look has found the token missing; null while it is.
  complete_since timestamp with time zone,
  checked_at timestamp with time zone not null,
  next_check_at timestamp with time zone not null
);
create index prefix_reverse_dns_due on prefix_reverse_dns (next_check_at);
