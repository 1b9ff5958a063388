-- What customers may hear of, written in the transaction in which it happened, and its way to the addresses they named.

create table outgoing_events (
  id bigint generated always as identity primary key,
  -- The same in every repeat: what a receiver tells doubles by.
  message_id text not null unique default 'evt_' || replace(gen_random_uuid()::text, '-', ''),
  user_id bigint not null,
  type text not null,
  subject_type text not null,
  subject_id bigint,
  data jsonb not null default '{}',
  occurred_at timestamptz not null default clock_timestamp(),
  -- Written when it is first sent; every repeat sends these bytes.
  body text,
  -- When its deliveries were made. Not a cursor over ids: transactions do not end in the order of their ids.
  dealt_at timestamptz
);
create index outgoing_events_new on outgoing_events (id) where dealt_at is null;
create index outgoing_events_user on outgoing_events (user_id, id);
create index outgoing_events_age on outgoing_events (occurred_at);

create table webhook_endpoints (
  id integer generated always as identity primary key,
  user_id integer not null references users,
  url text not null check (length(url) <= 2000),
  description text not null,
  events text[] not null check (cardinality(events) > 0),
  enabled boolean not null default true,
  -- Sealed; two are good while the receiver changes over.
  secret bytea not null,
  previous_secret bytea,
  previous_until timestamptz,
  created_at timestamptz not null,
  last_success_at timestamptz,
  -- Why we stopped sending, when it was not the owner who did.
  disabled_reason text,
  check ((previous_secret is null) = (previous_until is null)),
  check (disabled_reason is null or not enabled)
);
create index webhook_endpoints_user on webhook_endpoints (user_id, id);

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  endpoint_id integer not null references webhook_endpoints on delete cascade,
  event_id bigint not null references outgoing_events on delete cascade,
  state text not null default 'PENDING' check (state in ('PENDING', 'DELIVERED', 'FAILED')),
  attempts integer not null default 0,
  -- Since when it is tried: when it was made, or asked for again.
  since timestamptz not null,
  next_attempt_at timestamptz not null,
  delivered_at timestamptz,
  last_status smallint,
  last_error text,
  last_duration_ms integer,
  unique (endpoint_id, event_id)
);
create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where state = 'PENDING';
create index webhook_deliveries_endpoint on webhook_deliveries (endpoint_id, id desc);
create index webhook_deliveries_event on webhook_deliveries (event_id);

create table webhook_attempts (
  id bigint generated always as identity primary key,
  delivery_id bigint not null references webhook_deliveries on delete cascade,
  at timestamptz not null,
  duration_ms integer not null,
  -- What the receiver answered; null when it did not get that far.
  status smallint,
  error text,
  excerpt text
);
create index webhook_attempts_delivery on webhook_attempts (delivery_id, id desc);

-- The state that was last told, so that a change of what is computed can be told once.
alter table routers add column announced_state text;
