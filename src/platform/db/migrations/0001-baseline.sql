-- The whole schema of the first release, with the rows that it needs. A table comes after those that it refers to.

-- Both are trusted extensions, so the owner of the database may create them.
create extension btree_gist;
create extension pg_trgm;

create function reject_change() returns trigger language plpgsql as $$
begin
  raise exception '% is never changed or removed: write the opposite beside it', tg_table_name
    using errcode = 'integrity_constraint_violation';
end $$;

-- Counts for the lists of staff, as changes that are only added: writers do not wait for each other, as they would for
-- one counter. A worker sums them up.
create table row_counts (
  list text not null,
  -- The day of creation in UTC; -infinity in lists that are not counted by day.
  day date not null,
  change bigint not null
);
create index row_counts_list on row_counts (list, day);

---------- Users and accounts ----------

-- A user signs in and acts; an account owns routers, prefixes, an ASN and money (decision 58).
create table accounts (
  id integer primary key generated always as identity,
  created_at timestamptz not null default now()
);

-- Opens an account for a user that is added without one.
create function new_account() returns integer language plpgsql as $$
declare
  opened integer;
begin
  insert into accounts default values returning id into opened;
  return opened;
end $$;

create table users (
  id integer primary key generated always as identity,
  -- Unique while an account has one user.
  account_id integer not null default new_account() unique references accounts (id),
  -- In lower case: two that differ in case only would be one mailbox.
  email text not null unique check (email = lower(email) and length(email) <= 254),
  first_name text not null,
  last_name text not null,
  password_hash text not null,
  email_verified_at timestamptz,
  -- Two sign-ups with one address and different passwords: following a link alone must not choose between them.
  sign_ups_differ boolean not null default false,
  created_at timestamptz not null default now(),
  last_sign_in_at timestamptz,
  last_sign_in_ip inet,
  closed_at timestamptz,
  staff_roles text[] not null default '{}',
  is_admin boolean not null generated always as (cardinality(staff_roles) > 0) stored,
  -- `may_be_billed` of the account, in this table because the rest of the row orders the list of customers.
  is_customer boolean not null default false,
  -- The company of the billing address: staff find a customer by it.
  company text,
  -- For searches. It begins with a space, so that `% word%` finds the first word too.
  words text not null generated always as
    (lower(' ' || first_name || ' ' || last_name || ' ' || email || coalesce(' ' || company, ''))) stored,
  constraint users_staff_roles_known check (staff_roles <@ array['owner', 'support', 'network', 'billing'])
);
create index users_open on users (created_at desc, id desc) where closed_at is null;
create index users_customers on users (created_at desc, id desc) where closed_at is null and is_customer;
create index users_staff on users (id) where is_admin;
create index users_words on users using gin (words gin_trgm_ops) with (fastupdate = off);
-- How common the words are decides whether a search reads the newest rows or the trigrams.
alter table users alter column words set statistics 1000;

create function count_user() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.closed_at is null then
    insert into row_counts
      select list, (old.created_at at time zone 'UTC')::date, -1
      from unnest(case when old.is_customer then array['users', 'customers'] else array['users'] end) list;
  end if;
  if tg_op <> 'DELETE' and new.closed_at is null then
    insert into row_counts
      select list, (new.created_at at time zone 'UTC')::date, 1
      from unnest(case when new.is_customer then array['users', 'customers'] else array['users'] end) list;
  end if;
  return null;
end $$;
create trigger users_counted after insert or delete or update of closed_at, is_customer, created_at on users
  for each row execute function count_user();

-- Written by billing, read before anything that costs money. An account that does not pay loses its transit before its
-- routers.
create table account_billing_status (
  account_id integer primary key references accounts (id),
  may_be_billed boolean not null default false,
  suspended boolean not null default false,
  reason text,
  updated_at timestamptz not null default now(),
  transit text not null default 'normal' check (transit in ('normal', 'drained', 'closed'))
);
-- The staff's list of accounts that are suspended for not paying: few of many.
create index account_billing_status_suspended on account_billing_status (account_id) where suspended;

create function sync_is_customer() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    update users set is_customer = false where account_id = old.account_id and is_customer;
  else
    update users set is_customer = new.may_be_billed where account_id = new.account_id and is_customer <> new.may_be_billed;
  end if;
  return null;
end $$;
create trigger account_billing_status_kept after insert or delete or update of may_be_billed on account_billing_status
  for each row execute function sync_is_customer();

-- Accounts that staff suspended, whatever their billing status (decision 39). A lifted suspension stays as a record.
create table account_suspensions (
  id integer primary key generated always as identity,
  account_id integer not null references accounts (id),
  reason text not null,
  suspended_by integer not null references users (id),
  suspended_at timestamptz not null,
  lifted_by integer references users (id),
  lifted_at timestamptz,
  lift_reason text,
  constraint account_suspensions_lifted check (num_nulls(lifted_by, lifted_at, lift_reason) in (0, 3))
);
create unique index account_suspensions_current on account_suspensions (account_id) where lifted_at is null;
create index account_suspensions_account on account_suspensions (account_id, id desc);
create index account_suspensions_suspended_by on account_suspensions (suspended_by);
create index account_suspensions_lifted_by on account_suspensions (lifted_by);

-- Secrets are stored as digests: reading this table and the next does not open an account.
create table sessions (
  id integer primary key generated always as identity,
  digest bytea not null unique check (octet_length(digest) = 32),
  user_id integer not null references users (id),
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  ip inet not null,
  user_agent text not null,
  -- When the user last confirmed their identity with a password or a passkey.
  confirmed_at timestamptz
);
create index sessions_idle on sessions (last_seen_at);
create index sessions_user on sessions (user_id, last_seen_at desc);

create table api_tokens (
  id integer primary key generated always as identity,
  digest bytea not null unique check (octet_length(digest) = 32),
  user_id integer not null references users (id),
  name text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  last_used_ip inet,
  scopes text[] not null,
  -- Where it may be used from; empty: anywhere.
  networks cidr[] not null
);
create index api_tokens_user on api_tokens (user_id, id);

create table passkeys (
  id integer primary key generated always as identity,
  user_id integer not null references users (id),
  credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  -- The name under which an authenticator keeps the account. It outlives the key that it was derived under.
  user_handle text,
  public_key bytea not null,
  -- Counted by the authenticator; stays 0 for synchronized passkeys.
  counter bigint not null,
  transports text[] not null,
  name text not null,
  synced boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id, id);

-- Challenges are derived, not stored. Those that were answered are stored, so that none is answered twice.
create table spent_challenges (
  digest bytea primary key check (octet_length(digest) = 32),
  expires_at timestamptz not null
);
create index spent_challenges_expiry on spent_challenges (expires_at);

create table totp_factors (
  user_id integer primary key references users (id),
  encrypted_secret bytea not null,
  confirmed_at timestamptz,
  -- The time step of the last accepted code: none at or before it is accepted again (RFC 6238 section 5.2).
  last_step bigint not null default 0
);

create table recovery_codes (
  user_id integer not null references users (id),
  digest bytea not null check (octet_length(digest) = 32),
  primary key (user_id, digest)
);

-- A lost second factor that two people of staff reset (decision 39). Each part is written once: who requested it and
-- why, who approved it, how it ended. The state follows from these and the time.
create table second_factor_resets (
  id integer primary key generated always as identity,
  user_id integer not null references users (id),
  -- Only for staff: why, and how they checked the identity of the user.
  reason text not null,
  identity_check text not null,
  -- True if the user was staff when it was requested: then only owners could request it.
  of_staff boolean not null,
  requested_by integer not null references users (id),
  requested_at timestamptz not null,
  approve_before timestamptz not null,
  approved_by integer references users (id),
  approved_at timestamptz,
  -- When the factors are removed.
  due_at timestamptz,
  outcome text,
  ended_at timestamptz,
  -- The user who stopped it, or the member of staff who cancelled it.
  ended_by integer references users (id),
  end_reason text,
  constraint second_factor_resets_two_people
    check (requested_by <> user_id and approved_by <> user_id and approved_by <> requested_by),
  constraint second_factor_resets_approved check (num_nulls(approved_by, approved_at, due_at) in (0, 3)),
  constraint second_factor_resets_ended check (num_nulls(outcome, ended_at) in (0, 2)),
  constraint second_factor_resets_outcome
    check (outcome in ('completed', 'expired', 'stopped', 'cancelled', 'factor_used', 'void')),
  constraint second_factor_resets_completed check (outcome <> 'completed' or approved_at is not null)
);
create unique index second_factor_resets_current on second_factor_resets (user_id) where ended_at is null;
create index second_factor_resets_user on second_factor_resets (user_id, id desc);
create index second_factor_resets_requested_by on second_factor_resets (requested_by);
create index second_factor_resets_approved_by on second_factor_resets (approved_by);
create index second_factor_resets_ended_by on second_factor_resets (ended_by);

create function protect_second_factor_reset() returns trigger language plpgsql as $$
declare
  ending constant text[] := array['outcome', 'ended_at', 'ended_by', 'end_reason'];
  approving constant text[] := array['approved_by', 'approved_at', 'due_at'];
begin
  if tg_op = 'UPDATE' then
    if old.ended_at is null and (
      to_jsonb(new) - ending = to_jsonb(old) - ending
      or (old.approved_at is null and to_jsonb(new) - approving = to_jsonb(old) - approving)
    ) then
      return new;
    end if;
  end if;
  raise exception 'what a reset of a second factor says is never changed or removed'
    using errcode = 'integrity_constraint_violation';
end $$;
create trigger second_factor_resets_immutable before update or delete on second_factor_resets
  for each row execute function protect_second_factor_reset();
create trigger second_factor_resets_kept before truncate on second_factor_resets
  for each statement execute function reject_change();

-- Links in emails. A used one is deleted, so that of two uses at the same time one finds nothing.
create table mail_tokens (
  digest bytea primary key check (octet_length(digest) = 32),
  purpose text not null check (
    purpose in ('verify_email', 'reset_password', 'change_email_old', 'change_email_new', 'stop_second_factor_reset')
  ),
  user_id integer not null references users (id),
  -- For `verify_email`: the input of the sign-up that caused this email.
  payload jsonb not null default '{}',
  expires_at timestamptz not null
);
create index mail_tokens_user on mail_tokens (user_id, purpose);
create index mail_tokens_expiry on mail_tokens (expires_at);

-- A change of address waits until both mailboxes agree.
create table email_changes (
  user_id integer primary key references users (id),
  new_email text not null check (new_email = lower(new_email) and length(new_email) <= 254),
  old_confirmed_at timestamptz,
  new_confirmed_at timestamptz
);

-- Anyone can request one. The worker looks up later whether the address is known.
create table password_reset_requests (
  id integer primary key generated always as identity,
  email text not null,
  ip inet not null,
  created_at timestamptz not null default now()
);

-- Leaky buckets.
create table throttles (
  key text primary key,
  drained_at timestamptz not null
);
create index throttles_drained on throttles (drained_at);

-- Kinds of email that a user switched off.
create table muted_mails (
  user_id integer not null references users (id),
  kind text not null,
  primary key (user_id, kind)
);

create table ssh_keys (
  id integer primary key generated always as identity,
  account_id integer not null references accounts (id),
  name text not null,
  type text not null,
  public_key text not null,
  fingerprint text not null,
  created_at timestamptz not null default now(),
  unique (account_id, fingerprint)
);

create table impersonation_sessions (
  id integer primary key generated always as identity,
  staff_id integer not null references users (id),
  session_id integer references sessions (id) on delete set null,
  user_id integer not null references users (id),
  reason text not null check (length(reason) between 10 and 500),
  started_at timestamptz not null,
  expires_at timestamptz not null,
  elevated_reason text check (length(elevated_reason) between 10 and 500),
  elevated_until timestamptz,
  ended_at timestamptz,
  check (staff_id <> user_id),
  check ((elevated_reason is null) = (elevated_until is null))
);
create unique index impersonation_sessions_session on impersonation_sessions (session_id) where ended_at is null;
create index impersonation_sessions_open on impersonation_sessions (expires_at) where ended_at is null;
create index impersonation_sessions_user on impersonation_sessions (user_id, id);

-- Notes of staff about a user, for each other (decision 39). Rows are only added.
create table user_notes (
  id integer primary key generated always as identity,
  user_id integer not null references users (id),
  author_id integer not null references users (id),
  body text not null,
  created_at timestamptz not null,
  constraint user_notes_length check (char_length(body) between 1 and 4000)
);
create index user_notes_user on user_notes (user_id, id desc);
create index user_notes_author on user_notes (author_id);
create trigger user_notes_immutable before update or delete or truncate on user_notes
  for each statement execute function reject_change();

-- Many accounts may claim an ASN; one has verified it.
create table asn_ownerships (
  account_id integer primary key references accounts (id),
  asn bigint not null check (asn between 1 and 4294967294),
  claimed_at timestamptz not null default now(),
  verified_at timestamptz,
  checked_at timestamptz,
  -- When the registry is asked again; null while nothing is verified.
  next_check_at timestamptz,
  -- Why no proof is valid any more; after the lapse, why it lapsed.
  risk text check (risk in ('expired', 'holder_changed', 'unallocated')),
  at_risk_since timestamptz,
  lapses_at timestamptz,
  reminded_at timestamptz,
  lapsed_at timestamptz,
  -- Since when the registry does not answer.
  silent_since timestamptz,
  constraint asn_ownerships_doubt
    check ((risk is null) = (at_risk_since is null) and (risk is null) = (lapses_at is null)),
  constraint asn_ownerships_lapsed check (lapsed_at is null or verified_at is null)
);
create unique index asn_ownerships_verified on asn_ownerships (asn) where verified_at is not null;
create index asn_ownerships_asn on asn_ownerships (asn);
create index asn_ownerships_due on asn_ownerships (next_check_at) where next_check_at is not null;
create index asn_ownerships_unverified on asn_ownerships (account_id desc) where verified_at is null;

-- Proofs of an ASN. The token of a link is derived from the row, not stored.
create table asn_verifications (
  id integer primary key generated always as identity,
  account_id integer not null references accounts (id),
  asn bigint not null,
  method text not null check (method in ('autnum_token', 'registry_contact', 'peeringdb', 'staff')),
  strength text not null check (strength in ('low', 'medium', 'high')),
  contact_email text,
  contact_source text,
  requested_by integer references users (id),
  created_at timestamptz not null,
  link_expires_at timestamptz,
  voided_at timestamptz,
  verified_at timestamptz,
  valid_until timestamptz,
  checked_at timestamptz,
  -- Null when there is nothing to check.
  next_check_at timestamptz,
  result text,
  -- The holder when the registry was first asked after the proof; null before that.
  holder_handles text[],
  holder_name text,
  -- When the registry named another holder.
  contradicted_at timestamptz,
  -- Changes the token: a remark that a former holder may have left behind proves nothing.
  round integer not null default 0 check (round >= 0)
);
-- One token at a time: two would ask for two different remarks.
create unique index asn_verifications_token on asn_verifications (account_id, asn)
  where method = 'autnum_token' and voided_at is null;
create index asn_verifications_account on asn_verifications (account_id, id desc);
create index asn_verifications_due on asn_verifications (next_check_at) where next_check_at is not null;

---------- Audit log ----------

create table audit_events (
  id bigint primary key generated always as identity,
  at timestamptz not null default now(),
  -- Null if the system acted.
  actor_id bigint,
  actor_kind text not null check (actor_kind in ('user', 'staff', 'system')),
  action text not null,
  subject_type text not null,
  subject_id bigint,
  -- The account whose log shows it; null for events of the operator alone.
  account_id bigint,
  ip inet,
  request_id text,
  data jsonb not null default '{}'
);
create index audit_events_account on audit_events (account_id, id desc) where account_id is not null;
create index audit_events_action on audit_events (action, id desc);
create index audit_events_actor on audit_events (actor_id, id desc) where actor_id is not null;
create index audit_events_at on audit_events (at, id);
create index audit_events_ip on audit_events (ip, id desc) where ip is not null;
create index audit_events_request on audit_events (request_id, id desc) where request_id is not null;
create index audit_events_subject on audit_events (subject_type, subject_id, id desc);
create trigger audit_events_immutable before update or delete or truncate on audit_events
  for each statement execute function reject_change();

-- Each event is hashed together with the hash of the event before, so that one that was changed, removed, added or
-- moved shows. The links are in a table of their own because events are never written a second time.
create table audit_links (
  -- Without gaps, in the order in which transactions ended.
  position bigint primary key check (position > 0),
  event_id bigint not null unique,
  prev_hash bytea not null check (octet_length(prev_hash) = 32),
  hash bytea not null check (octet_length(hash) = 32)
);
create trigger audit_links_immutable before update or delete or truncate on audit_links
  for each statement execute function reject_change();

-- The end of the chain, so that events missing at its end show too. Room in the page keeps its updates cheap.
create table audit_head (
  id smallint primary key check (id = 1),
  position bigint not null,
  hash bytea not null check (octet_length(hash) = 32)
) with (fillfactor = 10);
insert into audit_head (id, position, hash) values (1, 0, decode(repeat('00', 32), 'hex'));
create trigger audit_head_immutable before insert or delete or truncate on audit_head
  for each statement execute function reject_change();

-- Each field follows its length, so that no two events have the same text.
create function audit_field(value text) returns text language sql immutable parallel safe as $$
  select coalesce(octet_length(convert_to(value, 'UTF8')) || ':' || value, '-') || ','
$$;

create function audit_text(event audit_events) returns text language sql stable parallel safe as $$
  select audit_field(event.id::text)
    || audit_field(to_char(event.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'))
    || audit_field(event.actor_id::text) || audit_field(event.actor_kind) || audit_field(event.action)
    || audit_field(event.subject_type) || audit_field(event.subject_id::text) || audit_field(event.account_id::text)
    || audit_field(event.ip::text) || audit_field(event.request_id) || audit_field(event.data::text)
$$;

create function audit_hash(place bigint, prev_hash bytea, event audit_events) returns bytea
language sql stable parallel safe as $$
  select sha256(convert_to(audit_field(place::text) || audit_field(encode(prev_hash, 'hex')) || audit_text(event), 'UTF8'))
$$;

-- Runs as the owner: the roles of web and worker write no link of the chain (decision 37).
create function link_audit_event() returns trigger language plpgsql security definer as $$
declare
  head audit_head;
  event audit_events;
begin
  if exists (select from audit_links where event_id = new.id) then return null; end if;
  -- The lock on the head is what orders the chain. A transaction on an older snapshot fails here to serialise, and is tried again.
  select * into strict head from audit_head for update;
  -- The first line of a transaction takes all of its lines along: a head written for each would be as many dead rows,
  -- read again for the next. Lines of a subtransaction have another xmin and come by themselves.
  for event in
    select e.* from audit_events e
    where e.id >= new.id and (e.id = new.id or e.xmin = pg_current_xact_id()::xid)
      and not exists (select from audit_links l where l.event_id = e.id)
    order by e.id
  loop
    insert into audit_links (position, event_id, prev_hash, hash)
      values (head.position + 1, event.id, head.hash, audit_hash(head.position + 1, head.hash, event))
      returning position, hash into head.position, head.hash;
  end loop;
  update audit_head set position = head.position, hash = head.hash;
  return null;
end $$;
-- Temporary tables come last, or a role could put one of its own in the place of the head.
do $$ begin
  execute format('alter function link_audit_event() set search_path = %I, pg_temp', current_schema());
end $$;
-- At commit, after every other lock: a lock on the head that is taken earlier could deadlock with locks on rows.
create constraint trigger audit_events_link after insert on audit_events deferrable initially deferred
  for each row execute function link_audit_event();

create table audit_verifications (
  id integer primary key generated always as identity,
  -- Null for the daily one.
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

---------- Requests, leases, emails, webhooks, agents ----------

-- The answer is written in the transaction of the request, so that a repeat does nothing a second time.
create table idempotency_keys (
  caller text not null,
  key text not null,
  endpoint text not null,
  body_digest bytea not null,
  status smallint,
  answer jsonb,
  created_at timestamptz not null default now(),
  -- The connection of the process that claimed it: the claim of a process that died is free at once.
  owner text not null default current_setting('application_name'),
  primary key (caller, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- One process at a time leads the workers, drives a hypervisor or drives an edge. A row with an end instead of a
-- session lock: the server keeps the lock of a client that vanished or froze for hours (decision 22).
create table leases (
  key text primary key check (char_length(key) between 1 and 100),
  -- Unique to one start of one process.
  holder text not null check (char_length(holder) <= 200),
  epoch bigint not null,
  process text not null check (char_length(process) <= 200),
  acquired_at timestamptz not null,
  renewed_at timestamptz not null,
  expires_at timestamptz not null,
  -- Makes epoch a key column: a takeover then waits for FOR KEY SHARE of the holder's transactions, a renewal does not.
  unique (key, epoch)
);

create table outgoing_mail (
  id bigint primary key generated always as identity,
  message_id text not null unique,
  user_id bigint,
  to_address text not null,
  subject text not null,
  -- Deleted once it was sent: the links in it open accounts.
  encrypted_body bytea,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  sent_at timestamptz,
  failed_at timestamptz,
  last_error text,
  dismissed_at timestamptz
);
create index outgoing_mail_due on outgoing_mail (next_attempt_at) where sent_at is null and failed_at is null;
create index outgoing_mail_failed on outgoing_mail (id desc) where failed_at is not null and dismissed_at is null;

create table outgoing_events (
  id bigint primary key generated always as identity,
  -- The same in each repeat: receivers recognize duplicates by it.
  message_id text not null unique default 'evt_' || replace(gen_random_uuid()::text, '-', ''),
  account_id bigint not null,
  type text not null,
  subject_type text not null,
  subject_id bigint,
  data jsonb not null default '{}',
  occurred_at timestamptz not null default clock_timestamp(),
  -- Written when it is first sent; each repeat sends these bytes.
  body text,
  -- When its deliveries were made. Not a cursor over ids: transactions do not end in the order of their ids.
  dispatched_at timestamptz
);
create index outgoing_events_account on outgoing_events (account_id, id);
create index outgoing_events_age on outgoing_events (occurred_at);
create index outgoing_events_new on outgoing_events (id) where dispatched_at is null;

create table webhook_endpoints (
  id integer primary key generated always as identity,
  account_id integer not null references accounts (id),
  url text not null check (length(url) <= 2000),
  description text not null,
  events text[] not null check (cardinality(events) > 0),
  enabled boolean not null default true,
  -- Encrypted. Two are valid while the receiver changes over.
  secret bytea not null,
  previous_secret bytea,
  previous_until timestamptz,
  created_at timestamptz not null,
  last_success_at timestamptz,
  -- Why we stopped sending, unless the owner disabled it.
  disabled_reason text,
  check ((previous_secret is null) = (previous_until is null)),
  check (disabled_reason is null or not enabled)
);
create index webhook_endpoints_account on webhook_endpoints (account_id, id);

create table webhook_deliveries (
  id bigint primary key generated always as identity,
  endpoint_id integer not null references webhook_endpoints (id) on delete cascade,
  event_id bigint not null references outgoing_events (id) on delete cascade,
  state text not null default 'PENDING' check (state in ('PENDING', 'DELIVERED', 'FAILED')),
  attempts integer not null default 0,
  -- When it was made, or requested again.
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
  id bigint primary key generated always as identity,
  delivery_id bigint not null references webhook_deliveries (id) on delete cascade,
  at timestamptz not null,
  duration_ms integer not null,
  -- Null without an answer.
  status smallint,
  error text,
  excerpt text
);
create index webhook_attempts_delivery on webhook_attempts (delivery_id, id desc);

-- One row. Null: the settings of the installation apply, or the default of the product.
create table site_content (
  id integer primary key default 1 check (id = 1),
  support_email text check (char_length(support_email) <= 254),
  feature_url text check (char_length(feature_url) <= 500),
  terms_url text check (char_length(terms_url) <= 500),
  mail_footer text check (char_length(mail_footer) <= 500),
  invoice_footer text check (char_length(invoice_footer) <= 300),
  notice text check (char_length(notice) <= 500),
  notice_tone text not null default 'info' check (notice_tone in ('info', 'warn')),
  notice_from timestamptz,
  notice_until timestamptz,
  check (notice_until > notice_from)
);
insert into site_content default values;

-- The authority that certifies the keys of agents, one for the installation (decision 34). Its key is encrypted.
create table agent_authority (
  id boolean primary key default true check (id),
  certificate text not null,
  encrypted_key bytea not null
);

-- One waits for each hypervisor or edge: a new one replaces it. A used one is deleted.
create table agent_tokens (
  kind text not null check (kind in ('hypervisor', 'edge')),
  slug text not null check (slug ~ '^[a-z0-9-]{1,40}$'),
  digest bytea not null unique,
  expires_at timestamptz not null,
  primary key (kind, slug)
);

create table agents (
  id integer primary key generated always as identity,
  kind text not null check (kind in ('hypervisor', 'edge')),
  slug text not null check (slug ~ '^[a-z0-9-]{1,40}$'),
  -- SHA-256 of its public key, which identifies it.
  key_digest text not null unique check (key_digest ~ '^[0-9a-f]{64}$'),
  enrolled_at timestamptz not null,
  revoked_at timestamptz,
  connected_at timestamptz,
  seen_at timestamptz,
  release text check (char_length(release) <= 100)
);
create unique index agents_accepted on agents (kind, slug) where revoked_at is null;
create index agents_of on agents (kind, slug, id desc);

---------- Inventory ----------

create table sites (
  id integer primary key generated always as identity,
  slug text not null unique check (slug ~ '^[a-z0-9-]{1,40}$'),
  name text not null,
  closed_at timestamptz
);
-- People choose by names, and money and machines follow: no two sites, hypervisors, plans, images or edges share one.
create unique index sites_name on sites (lower(btrim(name)));

-- A segment that routers attach to. The n-th host has the n-th address of both families.
create table address_pools (
  id integer primary key generated always as identity,
  site_id integer not null references sites (id),
  prefix4 cidr not null unique check (family(prefix4) = 4 and masklen(prefix4) between 8 and 30),
  gateway4 inet not null,
  prefix6 cidr not null unique check (family(prefix6) = 6 and masklen(prefix6) between 32 and 96),
  gateway6 inet not null,
  closed_at timestamptz,
  check (gateway4 << prefix4),
  check (gateway6 << prefix6)
);
create index address_pools_site on address_pools (site_id);

create table hypervisors (
  id integer primary key generated always as identity,
  slug text not null unique check (slug ~ '^[a-z0-9-]{1,40}$'),
  name text not null,
  site_id integer not null references sites (id),
  driver text not null check (driver in ('libvirt', 'simulated')),
  -- Capacity for sale: CPUs times overcommit, MiB and GiB. Memory and disk are never sold twice.
  cpus integer not null check (cpus > 0),
  cpu_overcommit numeric(4, 2) not null default 4 check (cpu_overcommit > 0),
  memory integer not null check (memory > 0),
  -- MiB that are not for routers. Null: the larger of 1024 and 5 percent of its memory.
  memory_reserve integer check (memory_reserve >= 0),
  disk integer not null check (disk > 0),
  drained boolean not null default false,
  drained_at timestamptz,
  -- How many routers it had when the drain began.
  drained_from integer,
  drain_reason text check (char_length(drain_reason) <= 500),
  -- Its last report. While it is unreachable, its routers keep their last observed state.
  connected boolean not null default false,
  connected_at timestamptz,
  -- Orders need a host that answered lately.
  answered_at timestamptz,
  fault text,
  cpu_usage real check (cpu_usage between 0 and 1),
  memory_usage real check (memory_usage between 0 and 1),
  facts jsonb not null default '{}',
  images jsonb,
  -- Why the ports of its routers are not restricted to their own addresses; null where they are.
  port_rules_error text
);
create unique index hypervisors_name on hypervisors (lower(btrim(name)));
create index hypervisors_site on hypervisors (site_id);

-- By slug, because an agent may run before staff add its hypervisor. A table of its own, because orders lock the rows
-- of hypervisors and a heartbeat must not wait for them.
create table hypervisor_agents (
  slug text primary key check (slug ~ '^[a-z0-9-]{1,40}$'),
  -- The owner of its machines and disks: a number in the DATA_DIR of the process. Null: the first that comes.
  installation uuid unique,
  -- Where other processes reach it.
  url text check (char_length(url) <= 500),
  -- Another process that wants it, and why it has to wait.
  waiting text check (char_length(waiting) <= 500),
  waiting_at timestamptz
);

-- The load of each hypervisor in slots of five minutes: sums over the readings of its facts, and the traffic of its
-- routers in `seconds` of the slot.
create table hypervisor_slots (
  hypervisor_id integer not null references hypervisors (id) on delete cascade,
  slot timestamptz not null,
  readings integer not null default 0,
  cpu_usage real not null default 0,
  memory_usage real not null default 0,
  seconds real not null default 0,
  rx_bytes bigint not null default 0,
  tx_bytes bigint not null default 0,
  primary key (hypervisor_id, slot)
) with (fillfactor = 70);
create index hypervisor_slots_age on hypervisor_slots using brin (slot);

create table images (
  id integer primary key generated always as identity,
  slug text not null unique check (slug ~ '^[a-z0-9-]{1,60}$'),
  name text not null,
  description text not null,
  source text not null,
  position integer not null default 0,
  retired_at timestamptz
);
create unique index images_name on images (lower(btrim(name)));

create table plans (
  id integer primary key generated always as identity,
  slug text not null unique check (slug ~ '^[a-z0-9-]{1,60}$'),
  name text not null,
  cpus integer not null check (cpus between 1 and 64),
  memory integer not null check (memory between 64 and 1048576),
  disk_size integer not null check (disk_size between 1 and 65536),
  -- Minor units of the currency.
  hourly_price integer not null check (hourly_price >= 0),
  monthly_price integer not null check (monthly_price >= 0),
  setup_price integer not null default 0 check (setup_price >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  position integer not null default 0,
  retired_at timestamptz
);
create unique index plans_name on plans (lower(btrim(name)));

---------- Routers ----------

create table routers (
  id integer primary key generated always as identity,
  uuid uuid not null unique default gen_random_uuid(),
  account_id integer not null references accounts (id),
  name text not null check (name ~* '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  site_id integer not null references sites (id),
  hypervisor_id integer not null references hypervisors (id),
  plan_id integer not null references plans (id),
  image_id integer not null references images (id),
  -- From the plan when it was chosen: a plan that changes does not change existing routers.
  cpus integer not null,
  memory integer not null,
  disk_size integer not null,
  -- As in the catalog when it was ordered; charged when the router first answers.
  setup_price integer not null default 0 check (setup_price >= 0),
  ssh_keys text[] not null default '{}',
  created_at timestamptz not null default now(),
  -- Set by the customer or by staff: it can be neither deleted nor reinstalled until this is off.
  delete_protected boolean not null default false,

  -- The desired state. Each write raises `generation`, so that no step completes what has just changed.
  desired_state text not null default 'running' check (desired_state in ('running', 'stopped', 'absent')),
  stop_mode text not null default 'graceful' check (stop_mode in ('graceful', 'force')),
  task text check (task in ('reboot', 'reset', 'reinstall', 'resize')),
  -- `down` until the machine is off, wiped or reset; then `up`.
  task_phase text check (task_phase in ('down', 'up')),
  suspended boolean not null default false,
  generation bigint not null default 1,
  desired_at timestamptz not null default now(),
  -- Until when a deletion can be undone, and to which state. Null also once its purge has begun.
  purge_at timestamptz,
  previous_desired_state text check (previous_desired_state in ('running', 'stopped')),

  -- The observed state.
  observed text not null default 'absent' check (
    observed in ('absent', 'off', 'starting', 'running', 'paused', 'stopping', 'crashed', 'unknown')
  ),
  observed_at timestamptz,
  started_at timestamptz,
  ready_at timestamptz,
  -- Digest of the machine as the hypervisor last took it.
  machine_digest text,
  needs_restart boolean not null default false,
  -- Digest of the routing configuration that the guest last took or refused.
  config_digest text,
  config_at timestamptz,
  config_error text,
  -- Why BIRD in the guest runs without its owner's files, and when they are tried again. Null when it loaded them.
  own_files_error text,
  own_files_retry_at timestamptz,
  -- Steps of the creation.
  address_at timestamptz,
  disk_at timestamptz,
  boot_at timestamptz,
  -- Its machine was told to start, so its disk may hold its owner's data: it stays on its host.
  booted boolean not null default false,
  reachable_at timestamptz,
  -- When the current boot was asked to end; null once the machine was seen off. Without it a shutdown that was taken
  -- back (a suspension that ended meanwhile, a restored router) reads as one by the guest's owner.
  stop_asked_at timestamptz,
  -- Since when a router that should run does not, and when its owner was emailed about it.
  trouble_since timestamptz,
  trouble_emailed_at timestamptz,

  failure text,
  failure_detail text,
  failures integer not null default 0,
  retry_at timestamptz,
  -- When to look at it again; null when there is nothing to do until something changes.
  due_at timestamptz default now(),
  checked_at timestamptz,
  -- The same as `viewState` in src/routers/states.ts, which a test compares. A column, so that lists by state use an
  -- index.
  state text not null generated always as (
    case
      when desired_state = 'absent' then 'DELETING'
      when suspended then case when observed in ('off', 'absent', 'crashed') then 'SUSPENDED' else 'STOPPING' end
      when failure is not null then 'FAILED'
      when task = 'reinstall' then 'REINSTALLING'
      when task = 'resize' then 'RESIZING'
      when task is not null then case when reachable_at is not null then 'REBOOTING' else 'CREATING' end
      when desired_state = 'stopped' then
        case when observed in ('off', 'absent', 'crashed') then 'STOPPED' else 'STOPPING' end
      when reachable_at is null then 'CREATING'
      when observed = 'running' and ready_at is not null then 'RUNNING'
      else 'STARTING'
    end
  ) stored,
  -- The state that was last published, so that a change of the computed state is published once.
  published_state text,
  check ((task is null) = (task_phase is null)),
  check (purge_at is null or desired_state = 'absent'),
  check ((purge_at is null) = (previous_desired_state is null))
);
-- Names are host names, which differ by more than case (RFC 4343). A router that is being deleted frees its name.
create unique index routers_name on routers (account_id, lower(name)) where desired_state <> 'absent';
create index routers_account on routers (account_id, id desc);
-- The staff's list of routers in the order of names, a page at a time; the id tells equal ones apart.
create index routers_by_name on routers (name, id);
create index routers_name_part on routers using gin (lower(name) gin_trgm_ops) with (fastupdate = off);
alter index routers_name_part alter column 1 set statistics 1000;
create index routers_site on routers (site_id, id desc);
create index routers_hypervisor on routers (hypervisor_id, id desc);
create index routers_state on routers (state, id desc);
create index routers_due on routers (hypervisor_id, due_at) where due_at is not null;
create index routers_checked on routers (hypervisor_id, checked_at nulls first);
create index routers_purge on routers (purge_at) where purge_at is not null;
create index routers_trouble on routers (id) where trouble_since is not null;

-- One host number of one pool for each router: no two routers share an address, whatever the program does.
create table address_leases (
  router_id integer primary key references routers (id) on delete cascade,
  pool_id integer not null references address_pools (id),
  host_number integer not null check (host_number > 0),
  address4 inet not null unique,
  address6 inet not null unique,
  unique (pool_id, host_number)
);
-- For searches while staff type.
create index address_leases_text4 on address_leases (host(address4) text_pattern_ops);
create index address_leases_text6 on address_leases (host(address6) text_pattern_ops);

-- Hosts that could not make a router, so that it moved to another. What is left of it there is removed.
create table router_moves (
  router_id integer not null references routers (id) on delete cascade,
  hypervisor_id integer not null references hypervisors (id) on delete cascade,
  at timestamptz not null,
  primary key (router_id, hypervisor_id)
);

-- Stored as a digest. A used ticket is deleted, so that of two uses at the same time one finds nothing.
create table console_tickets (
  digest bytea primary key check (octet_length(digest) = 32),
  router_id integer not null references routers (id) on delete cascade,
  user_id integer not null references users (id),
  -- A console ends with the session or the API token that asked for it.
  session_id integer,
  token_id integer,
  kind text not null check (kind in ('serial', 'display')),
  expires_at timestamptz not null
);
create index console_tickets_expiry on console_tickets (expires_at);
create index console_tickets_router on console_tickets (router_id);

-- Counters as last read, so that a restart of the worker loses no traffic.
create table router_counters (
  router_id integer primary key references routers (id) on delete cascade,
  at timestamptz not null,
  cpu_ns numeric(20, 0) not null,
  rx_bytes numeric(20, 0) not null,
  tx_bytes numeric(20, 0) not null
) with (fillfactor = 50);

-- Measurements of the `seconds` before `at`, kept for hours. They are added in the order of time and dropped by age. A
-- block-range index costs nothing for each row, and keeps a changed slot on its page (HOT).
create table router_samples (
  router_id integer not null,
  at timestamptz not null,
  seconds real not null check (seconds > 0),
  cpu_seconds real,
  memory bigint,
  rx_bytes bigint not null,
  tx_bytes bigint not null,
  primary key (router_id, at)
);
create index router_samples_age on router_samples using brin (at);

-- The same in slots of five minutes, exact in bytes: the 95th percentile is computed from these.
create table router_slots (
  router_id integer not null,
  account_id integer not null,
  slot timestamptz not null,
  seconds real not null,
  cpu_seconds real,
  memory bigint,
  rx_bytes bigint not null,
  tx_bytes bigint not null,
  primary key (router_id, slot)
) with (fillfactor = 70);
create index router_slots_account on router_slots (account_id, slot);
create index router_slots_age on router_slots using brin (slot);

-- Written when something changes, kept when the router is gone.
create table router_usage_periods (
  id bigint primary key generated always as identity,
  router_id integer not null,
  account_id integer not null references accounts (id),
  router_name text not null,
  plan_slug text not null,
  plan_name text not null,
  hourly_price integer not null,
  monthly_price integer not null,
  currency text not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  check (ended_at >= started_at)
);
create unique index router_usage_periods_open on router_usage_periods (router_id) where ended_at is null;
create index router_usage_periods_account on router_usage_periods (account_id, started_at);
create index router_usage_periods_held on router_usage_periods (plan_slug, account_id) where ended_at is null;

---------- Edges ----------

create table transit_edges (
  -- 1 is the first edge, below.
  id integer primary key generated by default as identity (start with 2),
  slug text not null unique check (slug ~ '^[a-z0-9-]{1,40}$'),
  name text not null check (char_length(name) between 1 and 80),
  added_at timestamptz not null default now(),
  -- Staff set it before an agent reports it. No other edge may use it, whatever its agent reports.
  bgp_identifier text unique check (char_length(bgp_identifier) <= 15),
  wanted_generation text,
  running_generation text,
  applied_at timestamptz,
  attempted_at timestamptz,
  observed_at timestamptz,
  error_kind text,
  error text,
  -- Features that its product lacks, as its agent reports with each load: requests for them are refused.
  lacks text[] not null default '{}',
  -- While it is set every customer of the edge is a last resort (RFC 8326), so that traffic leaves before the work.
  maintenance_since timestamptz,
  maintenance_reason text check (char_length(maintenance_reason) <= 500),
  -- Why the neighbor tables of the edge differ from the leases, and when they were last compared.
  neighbors_error text,
  neighbors_at timestamptz,
  -- As the edge reports it; null before its first report, and for one that does not validate.
  rpki_vrps integer,
  -- Its RTR sessions: [{"name", "up", "status"}].
  rpki_caches jsonb,
  rpki_seen_at timestamptz,
  -- Why its origin validation cannot be relied on.
  rpki_error text,
  -- When it last reported its upstream sessions, null before; and which of them are down, in words.
  upstreams_at timestamptz,
  upstreams_error text,
  -- Updates from upstreams that it rejected, as it last reported, and whether its log can be read; null before.
  upstream_rejections jsonb,
  -- The load to whose prefixes staff returned the edge, until they end that.
  reverted_to bigint,
  reverted_at timestamptz,
  reverted_by integer references users (id) on delete set null,
  reverted_reason text check (char_length(reverted_reason) <= 500),
  -- [{"id", "status", "decidedAt"}]: the prefixes at that time. One that was decided against since is not restored.
  reverted_prefixes jsonb,
  -- The number of prefixes of that load that may not be restored.
  reverted_missing integer,
  check ((maintenance_since is null) = (maintenance_reason is null)),
  check ((reverted_to is null) = (reverted_at is null)),
  check ((reverted_to is null) = (reverted_prefixes is null))
);
create unique index transit_edges_name on transit_edges (lower(btrim(name)));
-- `FIRST_EDGE` of src/platform/settings.ts.
insert into transit_edges (id, slug, name) values (1, 'edge1', 'Edge 1');

-- A site without a row is served by the only edge, or by none.
create table transit_edge_sites (
  site_id integer primary key references sites (id) on delete cascade,
  edge_id integer not null references transit_edges (id)
);
create index transit_edge_sites_edge on transit_edge_sites (edge_id);

-- As hypervisor_agents; and what the process reports about the edge.
create table transit_edge_agents (
  slug text primary key check (slug ~ '^[a-z0-9-]{1,40}$'),
  -- Another process that wants it, and why it has to wait.
  waiting text check (char_length(waiting) <= 500),
  waiting_at timestamptz,
  kind text check (kind in ('bird', 'openbgpd', 'simulated')),
  why text check (char_length(why) <= 500),
  router_id text check (char_length(router_id) <= 15),
  check (num_nonnulls(kind, why, router_id) in (0, 3))
);

-- The changes of each load of an edge, compared with the configuration that the edge ran before it.
create table transit_edge_loads (
  id bigint primary key generated always as identity,
  edge_id integer not null references transit_edges (id) on delete cascade,
  at timestamptz not null,
  -- WAITING: it would drop more than it may, and staff have to confirm it.
  state text not null check (state in ('WAITING', 'CONFIRMED', 'LOADING', 'LOADED', 'FAILED', 'SUPERSEDED')),
  generation text not null,
  previous_generation text,
  -- Per customer, complete: a revert walks back along them.
  changes jsonb not null,
  customers_added integer not null,
  customers_removed integer not null,
  prefixes_added integer not null,
  prefixes_removed integer not null,
  -- A digest of what it would drop: a confirmation is for exactly that. Null when nobody has to confirm it.
  dropped text,
  -- Why staff have to confirm it, or why it failed.
  detail text,
  -- Decisions since the load before: [{"actor", "action"}].
  causes jsonb not null,
  audit_id bigint not null,
  confirmed_by integer references users (id) on delete set null,
  confirmed_at timestamptz,
  confirmed_reason text check (char_length(confirmed_reason) <= 500)
);
create unique index transit_edge_loads_open on transit_edge_loads (edge_id)
  where state in ('WAITING', 'CONFIRMED', 'LOADING', 'FAILED');
create index transit_edge_loads_edge on transit_edge_loads (edge_id, id desc);

-- BGP sessions of an edge that its operator configured, as the edge reports them. Customers see none of it.
create table transit_upstreams (
  edge_id integer not null references transit_edges (id) on delete cascade,
  name text not null,
  asn bigint not null,
  address text not null,
  state text not null,
  since timestamptz,
  received integer not null,
  exported integer not null,
  last_error text,
  -- Since when it is not established although its operator did not disable it.
  down_since timestamptz,
  -- When staff were emailed that it is down; null again once they were emailed that it is back.
  alerted_at timestamptz,
  primary key (edge_id, name)
);

-- Questions to an edge that somebody waits for (decision 40). Rows live for seconds, so a crash may lose them.
create unlogged table edge_questions (
  id bigint primary key generated always as identity,
  edge_id integer not null references transit_edges (id) on delete cascade,
  account_id integer not null references accounts (id) on delete cascade,
  asked_at timestamptz not null default now(),
  question jsonb not null,
  -- Null while it waits.
  answer jsonb
);
create index edge_questions_waiting on edge_questions (edge_id, id) where answer is null;
create index edge_questions_asked on edge_questions (asked_at);

-- Work that staff announce before it begins (decision 43).
create table maintenance_windows (
  id integer primary key generated always as identity,
  title text not null,
  effect text not null check (effect in ('AT_RISK', 'SESSIONS_DOWN', 'ROUTERS_DOWN')),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- All sites, hypervisors and edges; else those of maintenance_targets.
  everywhere boolean not null,
  -- Raised by each change that customers are notified of.
  revision integer not null default 1,
  created_by integer references users (id) on delete set null,
  created_at timestamptz not null,
  cancelled_at timestamptz,
  cancelled_reason text,
  -- When all customers had been notified of this revision.
  announced_at timestamptz,
  check (ends_at > starts_at),
  check ((cancelled_at is null) = (cancelled_reason is null))
);
create index maintenance_windows_open on maintenance_windows (ends_at);
create index maintenance_windows_created_by on maintenance_windows (created_by);

create table maintenance_targets (
  window_id integer not null references maintenance_windows (id) on delete cascade,
  site_id integer references sites (id) on delete cascade,
  hypervisor_id integer references hypervisors (id) on delete cascade,
  edge_id integer references transit_edges (id) on delete cascade,
  check (num_nonnulls(site_id, hypervisor_id, edge_id) = 1)
);
create index maintenance_targets_window on maintenance_targets (window_id);
create index maintenance_targets_site on maintenance_targets (site_id);
create index maintenance_targets_hypervisor on maintenance_targets (hypervisor_id);
create index maintenance_targets_edge on maintenance_targets (edge_id);

-- The revision that each account was last notified of.
create table maintenance_notices (
  window_id integer not null references maintenance_windows (id) on delete cascade,
  account_id integer not null references accounts (id) on delete cascade,
  revision integer not null,
  notified_at timestamptz not null,
  primary key (window_id, account_id)
);
create index maintenance_notices_account on maintenance_notices (account_id);

---------- Connections ----------

create table transit_connections (
  -- Names of its sessions and filters derive from it: six digits at most.
  id integer primary key generated always as identity check (id between 1 and 999999),
  account_id integer not null unique references accounts (id) on delete cascade,
  created_at timestamptz not null default now(),
  as_set text,
  as_set_status text check (as_set_status in ('VALID', 'NOT_FOUND', 'UNKNOWN')),
  as_set_members integer,
  as_set_as_of timestamptz,
  as_set_checked_at timestamptz,
  -- The owner, the maintainer and the source of the AS-SET, as the registries last answered.
  as_set_found jsonb,
  router_id integer references routers (id) on delete set null,
  -- The edge that may carry it: set before the edge is asked to, cleared when the edge confirmed a state without it.
  edge_id integer references transit_edges (id),
  enabled boolean not null default true,
  -- Why the customer shut the sessions down, sent to their router (RFC 9003). Null while they are enabled.
  shutdown_message text check (octet_length(shutdown_message) between 1 and 128),
  -- A last resort until then (RFC 8326). Cleared when it ends.
  drain_until timestamptz,
  exports text not null default 'default' check (exports in ('default', 'full', 'default-and-full')),
  -- Routes that may be received, where staff granted more than the approved prefixes need.
  receive_limit4 integer check (receive_limit4 > 0),
  receive_limit6 integer check (receive_limit6 > 0),
  -- True if the edge runs BFD (RFC 5880) for the session of that family.
  bfd4 boolean not null default false,
  bfd6 boolean not null default false,
  encrypted_password bytea,
  -- A new TCP MD5 key (RFC 2385) beside the one in use: planned, then pending until a session comes up with it.
  next_encrypted_password bytea,
  -- When the edge takes it; null while that waits for the customer.
  password_change_at timestamptz,
  -- Set while the edge uses it: when the edge returns to the old one, unless a session came up.
  password_pending_until timestamptz,
  -- The result of the last change, and when.
  password_change_result text check (password_change_result in ('KEPT', 'RETURNED')),
  password_changed_at timestamptz,
  -- When the edge last reported which routes it receives.
  routes_seen_at timestamptz,
  check (next_encrypted_password is not null or (password_change_at is null and password_pending_until is null))
);
create index transit_connections_as_set on transit_connections (as_set_checked_at nulls first)
  where as_set is not null;
create index transit_connections_edge on transit_connections (edge_id, id) where edge_id is not null;
create index transit_connections_router on transit_connections (router_id) where router_id is not null;
create index transit_connections_password_change on transit_connections (id) where next_encrypted_password is not null;

create table transit_sessions (
  connection_id integer not null references transit_connections (id) on delete cascade,
  family smallint not null check (family in (4, 6)),
  state text not null check (
    state in ('IDLE', 'CONNECT', 'ACTIVE', 'OPENSENT', 'OPENCONFIRM', 'ESTABLISHED', 'DISABLED')
  ),
  since timestamptz,
  received integer not null,
  accepted integer not null,
  exported integer not null,
  last_error text,
  -- Since when a session that was established is not; null while it is, and before it ever was.
  down_since timestamptz,
  -- When its owner was emailed about that.
  alerted_at timestamptz,
  -- As the edge last reported; null where it runs none.
  bfd text check (bfd in ('UP', 'DOWN', 'NO_ANSWER')),
  -- How often it left Established within 24 hours, kept to sort by, and when the oldest of these is that old.
  flaps integer not null default 0,
  flaps_until timestamptz,
  primary key (connection_id, family)
);
-- The staff's list of sessions in the orders of its headers, a page at a time. Counts of routes change every few
-- seconds and have none.
create index transit_sessions_by_since on transit_sessions (coalesce(since, 'epoch'), connection_id, family);
create index transit_sessions_by_state on transit_sessions (
  (case state when 'ESTABLISHED' then 2 when 'DISABLED' then 1 else 0 end), coalesce(since, 'epoch'), connection_id,
  family
);
create index transit_sessions_by_flaps on transit_sessions (flaps, connection_id, family);
create index transit_sessions_flaps_until on transit_sessions (flaps_until) where flaps_until is not null;

create table transit_session_events (
  id bigint primary key generated always as identity,
  connection_id integer not null references transit_connections (id) on delete cascade,
  family smallint not null check (family in (4, 6)),
  at timestamptz not null,
  from_state text,
  to_state text not null,
  error text
);
create index transit_session_events_connection on transit_session_events (connection_id, id desc);

-- Sessions that the edge closed because of their limit. A row keeps one down; nobody tries again while it exists.
create table transit_limit_trips (
  connection_id integer not null references transit_connections (id) on delete cascade,
  family integer not null check (family in (4, 6)),
  tripped_at timestamptz not null,
  receive_limit integer not null,
  emailed_at timestamptz,
  primary key (connection_id, family)
);
create index transit_limit_trips_at on transit_limit_trips (tripped_at);

create table transit_limit_requests (
  id integer primary key generated always as identity,
  account_id integer not null references accounts (id) on delete cascade,
  family integer not null check (family in (4, 6)),
  routes integer not null check (routes > 0),
  reason text not null,
  status text not null default 'OPEN' check (status in ('OPEN', 'GRANTED', 'DECLINED')),
  created_at timestamptz not null,
  decided_at timestamptz,
  decided_by integer references users (id) on delete set null,
  decision_reason text,
  granted integer
);
create unique index transit_limit_requests_open on transit_limit_requests (account_id, family) where status = 'OPEN';
create index transit_limit_requests_account on transit_limit_requests (account_id, id desc);
create index transit_limit_requests_waiting on transit_limit_requests (id) where status = 'OPEN';
create index transit_limit_requests_staff on transit_limit_requests (decided_by);

-- Addresses whose traffic the edge drops, for a time that the customer chose.
create table transit_blackholes (
  id integer primary key generated always as identity,
  account_id integer not null references accounts (id) on delete cascade,
  address inet not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);
create unique index transit_blackholes_address on transit_blackholes (account_id, address) where ended_at is null;
create index transit_blackholes_account on transit_blackholes (account_id, id desc);
create index transit_blackholes_expiry on transit_blackholes (expires_at) where ended_at is null;

---------- Prefixes ----------

create table transit_prefixes (
  id integer primary key generated always as identity,
  account_id integer not null references accounts (id) on delete cascade,
  value cidr not null,
  status text not null default 'PENDING' check (
    status in ('PENDING', 'NEEDS_ACTION', 'APPROVED', 'REJECTED', 'SUSPENDED', 'WITHDRAWN')
  ),
  status_reason text,
  -- Suspended because the ASN changed, not by staff: it is checked again once the new ASN is verified.
  asn_changed boolean not null default false,
  announcement_type text not null check (announcement_type in ('ORIGIN', 'DOWNSTREAM', 'STATIC')),
  -- As the customer requested it; origin_asn is the one that applies.
  requested_origin bigint check (requested_origin between 1 and 4294967295),
  origin_asn bigint check (origin_asn between 1 and 4294967295),
  created_at timestamptz not null default now(),
  withdrawn_at timestamptz,

  membership text not null default 'UNKNOWN' check (
    membership in ('MEMBER', 'NOT_MEMBER', 'NO_SET', 'UNKNOWN', 'NOT_NEEDED')
  ),
  -- The AS-SET that opened it, the path to its origin in there, and the agreement of the origin.
  downstream jsonb,
  -- When the oldest AS-SET or aut-num of the last check was read: they are cached for some minutes.
  downstream_as_of timestamptz,
  rpki_status text not null default 'UNKNOWN' check (rpki_status in ('VALID', 'INVALID', 'NOT_FOUND', 'UNKNOWN')),
  rpki_reason text check (rpki_reason in ('AS', 'LENGTH')),
  rpki_vrps jsonb not null default '[]',
  rpki_as_of timestamptz,
  -- The last status that was more than UNKNOWN, kept while a source is unavailable.
  rpki_good_status text,
  rpki_good_as_of timestamptz,
  irr_status text not null default 'UNKNOWN' check (irr_status in ('VALID', 'INVALID', 'NOT_FOUND', 'UNKNOWN')),
  irr_objects jsonb not null default '[]',
  irr_as_of timestamptz,
  irr_good_status text,
  irr_good_as_of timestamptz,
  checked_at timestamptz,
  check_after timestamptz not null default now(),

  -- Keeps other customers out of its space without being approved.
  proven boolean not null default false,
  decided_by integer references users (id) on delete set null,
  decided_at timestamptz,
  -- The rule and the version of the policy that approved it, and its evidence.
  approval_basis jsonb,
  -- Issues that staff accepted with their reason when they approved it: they are not a loss later.
  accepted_issues text[] not null default '{}',
  -- Approved while a source was unavailable: the first contradicting answer revokes the approval.
  approved_unknown boolean not null default false,
  -- Since when an approved prefix has lost what its approval rested on.
  flagged_at timestamptz,
  -- Why the proof of its space was lost, while nothing else has proved it since.
  space_lost text check (space_lost in ('withdrawn', 'moved')),
  -- When it is suspended unless what it lost comes back. Kept while it is suspended for that.
  suspend_at timestamptz,

  -- Set while a filter that an edge confirmed contains it, whatever its status.
  imported_at timestamptz,
  imported_edge integer references transit_edges (id),
  imported_generation text,
  -- As the edge reports it; null while it is not so.
  received_at timestamptz,
  accepted_at timestamptz,
  exported_at timestamptz,
  rejection smallint,
  -- When an approved prefix left the upstreams; null while it is announced, and if it never was.
  lost_at timestamptz,
  constraint transit_prefixes_unspecific check (masklen(value) > 0),
  check (not asn_changed or status = 'SUSPENDED'),
  check ((imported_edge is null) = (imported_at is null)),
  -- A request that nobody has proved keeps no other customer out.
  constraint transit_prefixes_no_overlap exclude using gist (value inet_ops with &&, account_id with <>)
    where (status = 'APPROVED' or (proven and status in ('PENDING', 'NEEDS_ACTION', 'SUSPENDED')))
);
create unique index transit_prefixes_unique on transit_prefixes (account_id, value)
  where status in ('PENDING', 'NEEDS_ACTION', 'APPROVED', 'SUSPENDED');
-- With the status in the index, a search for one owner within a status stays in it. Without, the planner takes the
-- index of the exclusion constraint, which leads by space and reads thousands of pages for one owner.
create index transit_prefixes_account on transit_prefixes (account_id, id desc) include (status);
-- With the owner in the index, a search within a status reads no page for each prefix.
create index transit_prefixes_status on transit_prefixes (status, id desc) include (account_id);
create index transit_prefixes_value on transit_prefixes using gist (value inet_ops);
-- The list of prefixes in the order of addresses, a page at a time; the id tells equal ones apart.
create index transit_prefixes_by_value on transit_prefixes (value, id);
-- For searches while staff type: `2d10:1` is the beginning of 2d10:10::/32.
create index transit_prefixes_text on transit_prefixes ((value::text) text_pattern_ops);
create index transit_prefixes_check on transit_prefixes (check_after)
  where status in ('PENDING', 'NEEDS_ACTION', 'APPROVED', 'SUSPENDED');
create index transit_prefixes_imported on transit_prefixes (imported_edge, id) where imported_at is not null;
-- For the queue of approved prefixes that are about to be suspended.
create index transit_prefixes_ending on transit_prefixes (id) where status = 'APPROVED' and suspend_at is not null;

create function count_prefix() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into row_counts values ('prefixes ' || old.status, '-infinity', -1);
  end if;
  if tg_op <> 'DELETE' then
    insert into row_counts values ('prefixes ' || new.status, '-infinity', 1);
  end if;
  return null;
end $$;
create trigger transit_prefixes_counted after insert or delete on transit_prefixes
  for each row execute function count_prefix();
-- Checks update prefixes all day; only a change of status counts.
create trigger transit_prefixes_recounted after update of status on transit_prefixes
  for each row when (old.status <> new.status) execute function count_prefix();

-- Why a request may be believed. One row per kind and source; `seen` is text for people, never code.
create table prefix_evidence (
  id integer primary key generated always as identity,
  prefix_id integer not null references transit_prefixes (id) on delete cascade,
  kind text not null check (
    kind in ('roa', 'route_object', 'rdap_holder', 'rdap_contact', 'reverse_dns', 'inetnum_remark', 'rsc')
  ),
  source text not null,
  strength text not null check (strength in ('strong', 'medium', 'weak', 'contradicts')),
  seen text not null,
  observed_at timestamptz not null,
  expires_at timestamptz,
  next_check_at timestamptz,
  constraint prefix_evidence_once unique (prefix_id, kind, source)
);

-- The answer of the registry of the addresses (RDAP, RFC 9083). While it is unavailable its last answer stays.
create table prefix_registrations (
  prefix_id integer primary key references transit_prefixes (id) on delete cascade,
  -- Null: it has never answered. With an answer and without a handle the addresses are not registered there.
  answered_at timestamptz,
  registry text,
  handle text,
  name text,
  type text,
  -- RFC 9083 section 4.6: active, reserved, pending transfer.
  status jsonb not null default '[]',
  holder text,
  registrants jsonb not null default '[]',
  contacts jsonb not null default '[]',
  placeholder boolean not null default false,
  registered_at timestamptz,
  changed_at timestamptz,
  -- Raised when the holder changes: the token of the former holder proves nothing for the next.
  round integer not null default 0,
  error text,
  checked_at timestamptz not null,
  next_check_at timestamptz not null
);
create index prefix_registrations_due on prefix_registrations (next_check_at);

-- The last answers of reverse DNS for the token of each prefix.
create table prefix_reverse_dns (
  prefix_id integer primary key references transit_prefixes (id) on delete cascade,
  -- One for each reverse zone: its name, and the answer of the resolver.
  records jsonb not null default '[]',
  -- Since when no check has found the token missing; null while it is.
  complete_since timestamptz,
  checked_at timestamptz not null,
  next_check_at timestamptz not null
);
create index prefix_reverse_dns_due on prefix_reverse_dns (next_check_at);

-- Links mailed to registry contacts: of the block of a prefix, or of the ASN of its downstream. The token of a link is
-- derived from the row, so the database alone opens none.
create table prefix_contact_links (
  id integer primary key generated always as identity,
  prefix_id integer not null references transit_prefixes (id) on delete cascade,
  purpose text not null check (purpose in ('SPACE', 'DOWNSTREAM')),
  -- As they were when it was sent: a link that is followed later under another ASN or holder proves nothing.
  customer_asn bigint not null,
  origin_asn bigint,
  round integer not null,
  contact_email text not null,
  contact_roles jsonb not null default '[]',
  contact_source text not null,
  -- The registration that named the contact, and its holders.
  registry text not null,
  handle text not null,
  registrants jsonb not null default '[]',
  requested_by integer references users (id) on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  confirmed_at timestamptz,
  valid_until timestamptz,
  -- Followed in a browser that was signed in as the customer.
  by_customer boolean not null default false,
  voided_at timestamptz,
  constraint prefix_contact_links_origin check ((purpose = 'DOWNSTREAM') = (origin_asn is not null))
);
create index prefix_contact_links_prefix on prefix_contact_links (prefix_id);
create index prefix_contact_links_staff on prefix_contact_links (requested_by);

create table prefix_policy (
  only_row boolean primary key default true check (only_row),
  automatic boolean not null default false,
  two_person boolean not null default false,
  established_days integer not null default 7 check (established_days between 0 and 3650),
  check_age_minutes integer not null default 15 check (check_age_minutes between 1 and 1440),
  -- Limits of an account without a quota of its own; prefixes are approved or requested ones.
  prefixes_per_account integer not null default 200 check (prefixes_per_account between 1 and 100000),
  open_requests integer not null default 20 check (open_requests between 1 and 500),
  requests_per_hour integer not null default 60 check (requests_per_hour between 1 and 10000),
  shortest4 integer not null default 16 check (shortest4 between 8 and 24),
  shortest6 integer not null default 29 check (shortest6 between 16 and 48),
  version integer not null default 1,
  changed_by integer references users (id) on delete set null,
  changed_at timestamptz
);
insert into prefix_policy default values;

-- Read in order; the first rule that fits decides. `people` 0 is an approval without staff.
create table prefix_policy_rules (
  position integer primary key,
  name text not null,
  family integer check (family in (4, 6)),
  shorter_than integer check (shorter_than between 1 and 128),
  evidence text not null check (evidence in ('strong', 'medium', 'none')),
  people integer not null check (people between 0 and 2),
  reason boolean not null
);
insert into prefix_policy_rules (position, name, family, shorter_than, evidence, people, reason) values
  (1, 'IPv4 shorter than /16', 4, 16, 'none', 2, true),
  (2, 'IPv6 shorter than /29', 6, 29, 'none', 2, true),
  (3, 'Strong evidence', null, null, 'strong', 0, false),
  (4, 'Medium evidence', null, null, 'medium', 1, false),
  (5, 'Weak or no evidence', null, null, 'none', 2, true);

-- Set by staff for one account. Null: the limit of the policy.
create table prefix_quotas (
  account_id integer primary key references accounts (id) on delete cascade,
  prefixes integer check (prefixes between 0 and 100000),
  open_requests integer check (open_requests between 0 and 100000),
  reason text not null,
  changed_by integer references users (id) on delete set null,
  changed_at timestamptz not null
);
create index prefix_quotas_staff on prefix_quotas (changed_by);

-- First approvals that wait for a second person. They end with every change of the status.
create table prefix_approvals (
  prefix_id integer not null references transit_prefixes (id) on delete cascade,
  staff_id integer not null references users (id) on delete cascade,
  reason text not null,
  created_at timestamptz not null,
  primary key (prefix_id, staff_id)
);
create index prefix_approvals_staff on prefix_approvals (staff_id);

-- A decision of staff that can be undone until it takes effect. The prefix keeps its status meanwhile.
create table prefix_held_decisions (
  prefix_id integer primary key references transit_prefixes (id) on delete cascade,
  action text not null check (action in ('approve', 'reject', 'suspend')),
  reason text,
  staff_id integer not null references users (id) on delete cascade,
  decided_at timestamptz not null,
  effective_at timestamptz not null,
  -- Why it did not take effect; the prefix kept its status.
  failure text
);
create index prefix_held_decisions_due on prefix_held_decisions (effective_at) where failure is null;
create index prefix_held_decisions_staff on prefix_held_decisions (staff_id);

-- The last import of an account, under way or finished: the prefixes that registries list for its ASN and for the
-- members of its AS-SET. It requests nothing.
create table prefix_imports (
  account_id integer primary key references accounts (id) on delete cascade,
  started_at timestamptz not null,
  -- Null while it is under way.
  finished_at timestamptz,
  as_set text,
  -- Why the members of the AS-SET were left out.
  as_set_problem text check (as_set_problem in ('not_own', 'not_found')),
  -- Origins, the own ASN first; null until the AS-SET is expanded.
  asns jsonb,
  -- How many of them have been read.
  read integer not null default 0,
  prefixes jsonb not null default '[]',
  -- Route objects that nobody could request: too specific, or reserved space.
  skipped integer not null default 0,
  -- There is more than an import reads.
  truncated boolean not null default false,
  failure text check (failure in ('unavailable', 'not_verified'))
);
create index prefix_imports_due on prefix_imports (started_at) where finished_at is null;

-- Letters of authorization (LOA) that customers signed, each complete as of that time. Only `revoked_at` is set later
-- (decision 44).
create table loas (
  id integer primary key generated always as identity,
  account_id integer not null references accounts (id),
  prefix_id integer not null references transit_prefixes (id),
  prefix cidr not null,
  origin_asn bigint not null,
  -- The verified ASN of the account, how it was proved and since when.
  customer_asn bigint not null,
  proof_method text,
  asn_verified_at timestamptz not null,
  -- The holder of the block, as the registry of the addresses named it; null where it was not known.
  holder text,
  holder_registry text,
  operator_name text not null,
  operator_asn bigint not null,
  signatory_name text not null,
  signatory_title text not null,
  text_version smallint not null,
  paragraphs jsonb not null,
  evidence jsonb not null,
  signed_at timestamptz not null,
  valid_until timestamptz not null,
  -- In the address at which anyone can verify it. It shows this row and nothing else.
  code text not null unique,
  pdf bytea not null,
  pdf_sha256 text not null,
  revoked_at timestamptz
);
create index loas_prefix on loas (prefix_id, id desc);
create index loas_account on loas (account_id);

create function protect_loa() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if old.revoked_at is null and to_jsonb(new) - 'revoked_at' = to_jsonb(old) - 'revoked_at' then
      return new;
    end if;
  end if;
  raise exception 'a letter of authorization is never changed or removed: it is revoked'
    using errcode = 'integrity_constraint_violation';
end $$;
create trigger loas_immutable before update or delete on loas for each row execute function protect_loa();
create trigger loas_kept before truncate on loas for each statement execute function reject_change();

---------- Customers, prices and charges ----------

-- The operator's own terms: one row.
create table billing_settings (
  id smallint primary key check (id = 1),
  currency text not null default 'EUR' check (currency ~ '^[A-Z]{3}$'),
  company text,
  street text,
  postal_code text,
  city text,
  country text check (country ~ '^[A-Z]{2}$'),
  vat_id text,
  registration text,
  charges_tax boolean not null default false,
  -- True: consumers abroad are charged the tax of their own country.
  one_stop_shop boolean not null default false,
  series_prefix text not null default 'INV' check (series_prefix ~ '^[A-Z0-9]{1,8}$'),
  payment_days smallint not null default 14 check (payment_days between 0 and 90),
  -- Days after the due date.
  reminder_days smallint not null default 1,
  warning_days smallint not null default 10,
  drain_days smallint not null default 14,
  sessions_down_days smallint not null default 15,
  suspend_days smallint not null default 17,
  termination_days smallint not null default 45,
  -- An account is new until its first invoice was paid.
  new_account_routers smallint not null default 25 check (new_account_routers >= 0),
  new_account_owed bigint not null default 100000 check (new_account_owed >= 0),
  price_notice_days smallint not null default 30 check (price_notice_days between 0 and 365),
  check (
    0 <= reminder_days and reminder_days < warning_days and warning_days < drain_days
    and drain_days < sessions_down_days and sessions_down_days <= suspend_days and suspend_days < termination_days
  )
);
insert into billing_settings (id) values (1);

-- Standard rates of value added tax in the European Union (Directive 2006/112/EC article 97), as of 2026.
create table tax_rates (
  country text not null check (country ~ '^[A-Z]{2}$'),
  effective_from date not null,
  -- Hundredths of a percent.
  rate integer not null check (rate between 0 and 10000),
  source text,
  confirmed_on date,
  confirmed_by integer references users (id),
  primary key (country, effective_from),
  check (confirmed_on is null or source is not null)
);
insert into tax_rates (country, effective_from, rate, source)
select country, effective_from::date, rate, 'Came with Longhaul; not looked up yet' from (values
  ('AT', '2016-01-01', 2000), ('BE', '2016-01-01', 2100), ('BG', '2016-01-01', 2000), ('CY', '2016-01-01', 1900),
  ('CZ', '2016-01-01', 2100), ('DE', '2021-01-01', 1900), ('DK', '2016-01-01', 2500), ('EE', '2025-07-01', 2400),
  ('ES', '2016-01-01', 2100), ('FI', '2024-09-01', 2550), ('FR', '2016-01-01', 2000), ('GR', '2016-06-01', 2400),
  ('HR', '2016-01-01', 2500), ('HU', '2016-01-01', 2700), ('IE', '2021-03-01', 2300), ('IT', '2016-01-01', 2200),
  ('LT', '2016-01-01', 2100), ('LU', '2024-01-01', 1700), ('LV', '2016-01-01', 2100), ('MT', '2016-01-01', 1800),
  ('NL', '2016-01-01', 2100), ('PL', '2016-01-01', 2300), ('PT', '2016-01-01', 2300), ('RO', '2025-08-01', 2100),
  ('SE', '2016-01-01', 2500), ('SI', '2016-01-01', 2200), ('SK', '2025-01-01', 2300)
) as rates (country, effective_from, rate);

create table billing_customers (
  account_id integer primary key references accounts (id),
  -- The currency of every amount of this customer, for good: amounts refer to both.
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  company text,
  street text,
  postal_code text,
  city text,
  country text check (country ~ '^[A-Z]{2}$'),
  vat_id text check (vat_id ~ '^[A-Z]{2}[0-9A-Z+*]{2,12}$'),
  vat_status text not null default 'NONE' check (vat_status in ('NONE', 'PENDING', 'VALID', 'INVALID')),
  vat_checked_at timestamptz,
  vat_holder text,
  -- The registry's number of the consultation, which proves that we asked.
  vat_consultation text,
  vat_due_at timestamptz,
  vat_failures integer not null default 0,
  -- Everything before is on an invoice; null before the first.
  billed_until timestamptz,
  created_at timestamptz not null default now(),
  unique (account_id, currency),
  check ((vat_id is null) = (vat_status = 'NONE'))
);

create function sync_company() returns trigger language plpgsql as $$
begin
  update users set company = new.company where account_id = new.account_id and company is distinct from new.company;
  return null;
end $$;
create trigger billing_customers_company after insert or update of company on billing_customers
  for each row execute function sync_company();
create index billing_customers_vat on billing_customers (vat_due_at) where vat_due_at is not null;

-- While an account is terminated, nothing is charged.
create table billing_pauses (
  account_id integer not null references billing_customers (account_id),
  starts_at timestamptz not null,
  ends_at timestamptz,
  primary key (account_id, starts_at),
  check (ends_at >= starts_at)
);
create unique index billing_pauses_open on billing_pauses (account_id) where ends_at is null;

create table price_versions (
  id integer primary key generated always as identity,
  product text not null check (
    product ~ '^(router:[a-z0-9-]{1,60}|address:ipv[46]|transit|setup:(router:[a-z0-9-]{1,60}|transit)|fee:[a-z0-9-]{1,40})$'
  ),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  effective_from timestamptz not null,
  hourly_price integer not null check (hourly_price >= 0),
  -- The most that a month costs; for transit the price of the commit.
  monthly_price integer not null check (monthly_price >= 0),
  -- Only of `setup:` and `fee:`, which cost nothing by time.
  one_off_price integer check (one_off_price >= 0),
  -- Only of `fee:`: what customers read.
  name text,
  commit_bps bigint check (commit_bps >= 0),
  -- For each Mbit/s above the commit, for a month.
  overage_price integer check (overage_price >= 0),
  direction text check (direction in ('MAX', 'SUM', 'SEPARATE')),
  -- True for an increase.
  raises boolean not null default false,
  created_by integer references users (id),
  created_at timestamptz not null default now(),
  unique (product, currency, effective_from),
  check ((product = 'transit') = (commit_bps is not null and overage_price is not null and direction is not null)),
  check ((product ~ '^(setup|fee):') = (one_off_price is not null)),
  check ((product like 'fee:%') = (name is not null)),
  check (one_off_price is null or (hourly_price = 0 and monthly_price = 0))
);
create trigger price_versions_immutable before update or truncate on price_versions
  for each statement execute function reject_change();

-- Customers who were notified of an increase. A price that is taken back takes its notices with it.
create table price_notices (
  price_id integer not null references price_versions (id) on delete cascade,
  account_id integer not null references accounts (id),
  notified_at timestamptz not null,
  primary key (price_id, account_id)
);

create table transit_contracts (
  id integer primary key generated always as identity,
  account_id integer not null,
  currency text not null,
  effective_from timestamptz not null,
  -- False: the price list applies again.
  agreed boolean not null,
  commit_bps bigint not null check (commit_bps >= 0),
  commit_price integer not null check (commit_price >= 0),
  overage_price integer not null check (overage_price >= 0),
  direction text not null check (direction in ('MAX', 'SUM', 'SEPARATE')),
  created_by integer references users (id),
  created_at timestamptz not null default now(),
  unique (account_id, effective_from),
  foreign key (account_id, currency) references billing_customers (account_id, currency)
);

-- The busiest slots of the current month so far, so that a dashboard need not read millions of them.
create table transit_usage (
  account_id integer not null references accounts (id),
  period_start timestamptz not null,
  segments jsonb not null,
  measured_at timestamptz not null,
  primary key (account_id, period_start)
);

create table billing_discounts (
  id integer primary key generated always as identity,
  account_id integer not null references billing_customers (account_id),
  description text not null,
  -- Hundredths of a percent.
  percent integer not null check (percent between 1 and 10000),
  scope text not null check (scope in ('ALL', 'ROUTERS', 'TRANSIT')),
  starts_at timestamptz not null,
  ends_at timestamptz,
  created_by integer references users (id),
  created_at timestamptz not null default now(),
  check (ends_at > starts_at)
);
create index billing_discounts_account on billing_discounts (account_id);

create table billing_items (
  id integer primary key generated always as identity,
  account_id integer not null,
  currency text not null,
  kind text not null check (kind in ('FEE', 'CREDIT')),
  description text not null,
  -- Minor units, above zero for both kinds.
  amount bigint not null check (amount > 0),
  effective_at timestamptz not null,
  -- How much of it is on invoices: a credit may need several.
  billed bigint not null default 0,
  created_by integer references users (id),
  created_at timestamptz not null default now(),
  cancelled_at timestamptz,
  product text,
  -- The charge reference, such as `setup:router:12`: the same thing is charged once, for good.
  reference text unique,
  foreign key (account_id, currency) references billing_customers (account_id, currency),
  check (billed between 0 and amount),
  check (cancelled_at is null or billed = 0),
  check (reference is null or product is not null)
);
create index billing_items_open on billing_items (account_id) where billed < amount and cancelled_at is null;

---------- Invoices, ledger and payments ----------

-- The progress of the run of a month: every customer up to `reached` is done.
create table billing_runs (
  period_start timestamptz primary key,
  reached integer not null default 0,
  invoices integer not null default 0,
  started_at timestamptz not null,
  finished_at timestamptz
);

create table invoice_series (
  series text primary key,
  next integer not null check (next > 0)
);

create table invoices (
  id integer primary key generated always as identity,
  account_id integer not null,
  currency text not null,
  kind text not null check (kind in ('INVOICE', 'CREDIT_NOTE')),
  reason text not null check (reason in ('MONTHLY', 'CLOSING', 'CORRECTION')),
  status text not null check (status in ('DRAFT', 'OPEN', 'PAID', 'VOID', 'UNCOLLECTIBLE')),
  series text references invoice_series (series),
  serial integer,
  number text unique,
  period_start timestamptz not null,
  period_end timestamptz not null,
  -- Below zero on a credit note, like its lines.
  subtotal bigint not null,
  tax bigint not null,
  total bigint not null,
  tax_rule text check (tax_rule in ('NONE', 'DOMESTIC', 'ONE_STOP_SHOP', 'REVERSE_CHARGE', 'OUTSIDE')),
  tax_rate integer,
  seller jsonb not null default '{}',
  buyer jsonb not null default '{}',
  corrects_id integer references invoices (id),
  created_at timestamptz not null,
  issued_at timestamptz,
  due_at timestamptz,
  paid_at timestamptz,
  mailed_at timestamptz,
  -- When a card is charged next; null when not automatically.
  charge_at timestamptz,
  attempts smallint not null default 0,
  unique (series, serial),
  foreign key (account_id, currency) references billing_customers (account_id, currency),
  check (period_end > period_start),
  check (total = subtotal + tax),
  check ((status = 'DRAFT') = (number is null)),
  check ((number is null) = (issued_at is null)),
  check ((kind = 'CREDIT_NOTE') = (corrects_id is not null))
);
-- A period of a customer is invoiced once, however often a run repeats.
create unique index invoices_period on invoices (account_id, period_start) where kind = 'INVOICE';
create index invoices_account on invoices (account_id, id desc);
-- The staff's list of invoices in the orders of its headers, a page at a time. Drafts, which are not issued, come last.
create index invoices_by_issued on invoices (coalesce(issued_at, 'infinity'), id);
create index invoices_by_total on invoices (total, id);
create index invoices_status on invoices (status, id desc);
create index invoices_number_beginning on invoices (number text_pattern_ops) where number is not null;
create index invoices_month on invoices (period_start);
create index invoices_corrects on invoices (corrects_id) where corrects_id is not null;
create index invoices_draft on invoices (id) where status = 'DRAFT';
create index invoices_due on invoices (due_at) where status = 'OPEN';
create index invoices_charge on invoices (charge_at) where status = 'OPEN' and charge_at is not null;
create index invoices_unmailed on invoices (id) where mailed_at is null and issued_at is not null;

create function protect_issued_invoice() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'an invoice is never removed: write a credit note' using errcode = 'integrity_constraint_violation';
  end if;
  if old.number is not null and (
    old.number, old.account_id, old.currency, old.kind, old.period_start, old.period_end, old.subtotal, old.tax, old.total,
    old.tax_rule, old.tax_rate, old.seller, old.buyer, old.issued_at, old.due_at, old.series, old.serial
  ) is distinct from (
    new.number, new.account_id, new.currency, new.kind, new.period_start, new.period_end, new.subtotal, new.tax, new.total,
    new.tax_rule, new.tax_rate, new.seller, new.buyer, new.issued_at, new.due_at, new.series, new.serial
  ) then
    raise exception 'an issued invoice is never changed: write a credit note'
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger invoices_immutable before update or delete on invoices
  for each row execute function protect_issued_invoice();

create table invoice_lines (
  invoice_id integer not null references invoices (id),
  position smallint not null,
  kind text not null check (
    kind in ('ROUTER', 'CAP', 'ADDRESS', 'COMMIT', 'OVERAGE', 'FEE', 'DISCOUNT', 'CREDIT')
  ),
  -- `router:12`, `contract:3`, …
  subject text not null,
  description text not null,
  quantity numeric(20, 6) not null,
  unit text not null,
  unit_price bigint not null,
  amount bigint not null,
  evidence jsonb not null default '{}',
  item_id integer references billing_items (id),
  -- The time that the line covers, the end excluded; equal for a line that has a moment only.
  starts_at timestamptz,
  ends_at timestamptz,
  primary key (invoice_id, position),
  constraint invoice_lines_time_check check ((starts_at is null) = (ends_at is null) and starts_at <= ends_at)
);
create trigger invoice_lines_immutable before update or delete or truncate on invoice_lines
  for each statement execute function reject_change();

create table ledger_transactions (
  id bigint primary key generated always as identity,
  -- `invoice:12`, `payment:7`, …: nothing is posted twice.
  source text not null unique,
  account_id integer not null,
  currency text not null,
  at timestamptz not null,
  foreign key (account_id, currency) references billing_customers (account_id, currency)
);
create index ledger_transactions_account on ledger_transactions (account_id, id);
create trigger ledger_transactions_immutable before update or delete or truncate on ledger_transactions
  for each statement execute function reject_change();

create table ledger_entries (
  id bigint primary key generated always as identity,
  transaction_id bigint not null references ledger_transactions (id),
  account text not null check (
    account in (
      'receivable', 'revenue:routers', 'revenue:addresses', 'revenue:transit', 'revenue:fees', 'revenue:reductions',
      'tax', 'cash', 'refunds', 'bad-debt'
    )
  ),
  -- Debit above zero, credit below.
  amount bigint not null check (amount <> 0),
  invoice_id integer,
  line smallint,
  check (account <> 'receivable' or invoice_id is not null)
);
create index ledger_entries_transaction on ledger_entries (transaction_id);
create index ledger_entries_invoice on ledger_entries (invoice_id) where account = 'receivable';
create trigger ledger_entries_immutable before update or delete or truncate on ledger_entries
  for each statement execute function reject_change();

-- All entries of a transaction come in one statement, so what is balanced then stays balanced.
create function require_balance() returns trigger language plpgsql as $$
begin
  if exists (select from written group by transaction_id having sum(amount) <> 0) then
    raise exception 'debits and credits of a ledger transaction must be equal'
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create trigger ledger_entries_balance after insert on ledger_entries referencing new table as written
  for each statement execute function require_balance();

create table payment_customers (
  account_id integer not null references accounts (id),
  provider text not null check (provider in ('stripe', 'test')),
  customer text not null,
  primary key (account_id, provider),
  unique (provider, customer)
);

-- No card number is stored: the provider keeps the card, we keep the provider's reference.
create table payment_methods (
  id integer primary key generated always as identity,
  account_id integer not null references accounts (id),
  provider text not null check (provider in ('stripe', 'test')),
  reference text not null,
  brand text not null,
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  exp_month smallint not null check (exp_month between 1 and 12),
  exp_year smallint not null,
  is_default boolean not null,
  created_at timestamptz not null,
  -- A removed card is kept for the invoices that name it.
  removed_at timestamptz,
  -- When the provider was first asked to detach it, and when it had.
  detaching_at timestamptz,
  detached_at timestamptz,
  unique (provider, reference),
  check (detached_at is null or detaching_at is not null)
);
create unique index payment_methods_default on payment_methods (account_id) where is_default and removed_at is null;
create index payment_methods_account on payment_methods (account_id, id) where removed_at is null;
create index payment_methods_to_detach on payment_methods (id) where removed_at is not null and detached_at is null;

create table payments (
  id integer primary key generated always as identity,
  account_id integer not null,
  currency text not null,
  invoice_id integer not null references invoices (id),
  method_id integer not null references payment_methods (id),
  provider text not null check (provider in ('stripe', 'test')),
  -- The idempotency key at the provider, so that an attempt happens once.
  key uuid not null unique default gen_random_uuid(),
  amount bigint not null check (amount > 0),
  status text not null check (status in ('PENDING', 'ACTION_REQUIRED', 'SUCCEEDED', 'DECLINED', 'FAILED')),
  reference text,
  reason text,
  dispute text check (dispute in ('OPEN', 'WON', 'LOST')),
  created_at timestamptz not null,
  settled_at timestamptz,
  unique (provider, reference),
  foreign key (account_id, currency) references billing_customers (account_id, currency)
);
-- Two attempts at the same time could both succeed.
create unique index payments_under_way on payments (invoice_id) where status in ('PENDING', 'ACTION_REQUIRED');
create index payments_account on payments (account_id, id desc);
create index payments_invoice on payments (invoice_id, id);
create index payments_open on payments (created_at) where status in ('PENDING', 'ACTION_REQUIRED');
create index payments_disputed on payments (id desc) where dispute = 'OPEN';

create table refunds (
  id integer primary key generated always as identity,
  payment_id integer not null references payments (id),
  key uuid not null unique default gen_random_uuid(),
  amount bigint not null check (amount > 0),
  reason text not null,
  status text not null check (status in ('PENDING', 'SUCCEEDED', 'FAILED')),
  reference text,
  failure text,
  created_by integer references users (id),
  created_at timestamptz not null,
  settled_at timestamptz
);
create index refunds_open on refunds (id) where status = 'PENDING';
create index refunds_payment on refunds (payment_id);

-- Events of a provider. Each counts once, in whatever order and however often it comes.
create table provider_events (
  provider text not null,
  event text not null,
  received_at timestamptz not null,
  primary key (provider, event)
);

create table dunning (
  account_id integer primary key references billing_customers (account_id),
  stage text not null default 'CURRENT' check (
    stage in ('CURRENT', 'REMINDED', 'WARNED', 'DRAINED', 'SESSIONS_DOWN', 'SUSPENDED', 'TERMINATED')
  ),
  since timestamptz not null,
  checked_at timestamptz
);
create index dunning_stage on dunning (stage) where stage <> 'CURRENT';
-- The last checked come last: a long list of debtors must not keep the worker from those at its end.
create index dunning_checked on dunning (checked_at nulls first);

-- During a pause an account goes no stage further; to a better stage it goes at any time.
create table dunning_pauses (
  id integer primary key generated always as identity,
  account_id integer not null references billing_customers (account_id),
  -- Never open-ended: a debt that everybody forgot helps nobody.
  until timestamptz not null,
  reason text not null,
  created_by integer references users (id),
  created_at timestamptz not null,
  lifted_at timestamptz,
  check (until > created_at)
);
create unique index dunning_pauses_open on dunning_pauses (account_id) where lifted_at is null;
