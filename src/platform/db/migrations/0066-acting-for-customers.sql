-- Staff who look at the portal as a customer: one at a time in a session, for a reason, and never for long.
create table acting_spells (
  id integer primary key generated always as identity,
  staff_id integer not null references users (id),
  -- Whose sign-in it rides on; gone with it.
  session_id integer references sessions (id) on delete set null,
  user_id integer not null references users (id),
  reason text not null check (length(reason) between 10 and 500),
  started_at timestamptz not null,
  expires_at timestamptz not null,
  raised_reason text check (length(raised_reason) between 10 and 500),
  raised_until timestamptz,
  ended_at timestamptz,
  check (staff_id <> user_id),
  check ((raised_reason is null) = (raised_until is null))
);
create unique index acting_spells_session on acting_spells (session_id) where ended_at is null;
create index acting_spells_open on acting_spells (expires_at) where ended_at is null;
create index acting_spells_user on acting_spells (user_id, id);
