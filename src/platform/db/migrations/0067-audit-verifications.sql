-- The trail looked through by where something came from and by request, and each time that its chain was verified.
create index audit_events_ip on audit_events (ip, id desc) where ip is not null;
create index audit_events_request on audit_events (request_id, id desc) where request_id is not null;

create table audit_verifications (
  id integer primary key generated always as identity,
  -- Null: by itself, once a day.
  requested_by integer references users (id),
  requested_at timestamptz not null,
  -- How far it is, and where the chain ended when it began.
  position bigint not null default 0,
  total bigint not null,
  finished_at timestamptz,
  head_hash text check (head_hash ~ '^[0-9a-f]{64}$'),
  faults text[],
  check ((finished_at is null) = (faults is null))
);
create unique index audit_verifications_one on audit_verifications ((true)) where finished_at is null;
create index audit_verifications_finished on audit_verifications (finished_at desc) where finished_at is not null;
