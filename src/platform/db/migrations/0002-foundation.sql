-- What every slice stands on: the trail of what happened, the mail that is to go out, and remembered answers.

create table audit_events (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  -- Who did it: a user, or null with actor_kind 'system'.
  actor_id bigint,
  actor_kind text not null check (actor_kind in ('user', 'staff', 'system')),
  action text not null,
  subject_type text not null,
  subject_id bigint,
  -- In whose own trail it stands; null for what concerns the operator alone.
  user_id bigint,
  ip inet,
  request_id text,
  data jsonb not null default '{}'
);
create index audit_events_user on audit_events (user_id, id desc) where user_id is not null;
create index audit_events_subject on audit_events (subject_type, subject_id, id desc);

create table outgoing_mail (
  id bigint generated always as identity primary key,
  message_id text not null unique,
  user_id bigint,
  to_address text not null,
  subject text not null,
  text text not null,
  html text not null,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  sent_at timestamptz,
  -- Given up: the receiver refused it for good.
  failed_at timestamptz,
  last_error text
);
create index outgoing_mail_due on outgoing_mail (next_attempt_at) where sent_at is null and failed_at is null;

-- The answer is written in the same transaction as what the request did, so a repeat can never do it twice.
create table idempotency_keys (
  caller text not null,
  key text not null,
  endpoint text not null,
  body_digest bytea not null,
  status smallint,
  answer jsonb,
  created_at timestamptz not null default now(),
  primary key (caller, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
