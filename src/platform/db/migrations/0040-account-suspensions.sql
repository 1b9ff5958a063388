-- Expand: the release before can still run.

-- Accounts that staff suspended, beside what billing says of them (decision 39). A lifted suspension stays as a record.
create table account_suspensions (
  id integer generated always as identity primary key,
  user_id integer not null references users (id),
  reason text not null,
  suspended_by integer not null references users (id),
  suspended_at timestamp with time zone not null,
  lifted_by integer references users (id),
  lifted_at timestamp with time zone,
  lift_reason text,
  constraint account_suspensions_lifted check (num_nulls(lifted_by, lifted_at, lift_reason) in (0, 3))
);
create unique index account_suspensions_current on account_suspensions (user_id) where lifted_at is null;
create index account_suspensions_user on account_suspensions (user_id, id desc);
create index account_suspensions_suspended_by on account_suspensions (suspended_by);
create index account_suspensions_lifted_by on account_suspensions (lifted_by);
