-- Expand: the release before can still run.

-- Prefixes that one account may have, approved or requested, unless it has a quota of its own.
alter table prefix_policy add column prefixes_per_account integer not null default 200
  check (prefixes_per_account between 1 and 100000);

-- What staff set for one account. Null: as the policy says.
create table prefix_quotas (
  user_id integer primary key references users (id) on delete cascade,
  prefixes integer check (prefixes between 0 and 100000),
  open_requests integer check (open_requests between 0 and 100000),
  reason text not null,
  changed_by integer references users (id) on delete set null,
  changed_at timestamp with time zone not null
);
create index prefix_quotas_staff on prefix_quotas (changed_by);

-- A decision of staff that takes effect in a moment, until when it can be undone. The prefix keeps its status meanwhile.
create table prefix_held_decisions (
  prefix_id integer primary key references transit_prefixes (id) on delete cascade,
  action text not null check (action in ('approve', 'reject', 'suspend')),
  reason text,
  staff_id integer not null references users (id) on delete cascade,
  decided_at timestamp with time zone not null,
  effective_at timestamp with time zone not null,
  -- Why it did not take effect; the prefix kept its status.
  failure text
);
create index prefix_held_decisions_due on prefix_held_decisions (effective_at) where failure is null;
create index prefix_held_decisions_staff on prefix_held_decisions (staff_id);
