-- Who somebody is, how they prove it, and which ASN is theirs.

create table users (
  id integer generated always as identity primary key,
  -- Folded to lower case: two accounts that differ in case alone would be one mailbox.
  email text not null unique check (email = lower(email) and length(email) <= 254),
  first_name text not null,
  last_name text not null,
  password_hash text not null,
  is_admin boolean not null default false,
  email_verified_at timestamptz,
  created_at timestamptz not null default now(),
  last_sign_in_at timestamptz,
  last_sign_in_ip inet,
  closed_at timestamptz
);
create index users_created on users (created_at desc, id desc);

-- Tokens are stored as SHA-256 alone: who reads this table cannot sign in with it.
create table sessions (
  id integer generated always as identity primary key,
  digest bytea not null unique check (octet_length(digest) = 32),
  user_id integer not null references users,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  ip inet not null,
  user_agent text not null
);
create index sessions_user on sessions (user_id, last_seen_at desc);
create index sessions_idle on sessions (last_seen_at);

-- Secrets for programs, sent as bearer tokens.
create table api_tokens (
  id integer generated always as identity primary key,
  digest bytea not null unique check (octet_length(digest) = 32),
  user_id integer not null references users,
  name text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  last_used_ip inet
);
create index api_tokens_user on api_tokens (user_id, id);

-- Links in mails. Used means deleted, so that of two uses at once one finds nothing.
create table mail_tokens (
  digest bytea primary key check (octet_length(digest) = 32),
  purpose text not null check (purpose in ('verify_email', 'reset_password', 'change_email_old', 'change_email_new')),
  user_id integer not null references users,
  -- For `verify_email`: what the sign-up that caused this very mail asked for.
  payload jsonb not null default '{}',
  expires_at timestamptz not null
);
create index mail_tokens_user on mail_tokens (user_id, purpose);
create index mail_tokens_expiry on mail_tokens (expires_at);

-- A change of address that waits for both mailboxes to agree.
create table email_changes (
  user_id integer primary key references users,
  new_email text not null check (new_email = lower(new_email) and length(new_email) <= 254),
  old_confirmed_at timestamptz,
  new_confirmed_at timestamptz
);

-- Asked for by anyone; whether the address is known is looked up later, by the worker.
create table password_reset_requests (
  id integer generated always as identity primary key,
  email text not null,
  ip inet not null,
  created_at timestamptz not null default now()
);

-- Leaky buckets: the moment at which what was spent has drained away.
create table throttles (
  key text primary key,
  drained_at timestamptz not null
);
create index throttles_drained on throttles (drained_at);

create table totp_factors (
  user_id integer primary key references users,
  sealed_secret bytea not null,
  confirmed_at timestamptz,
  -- The time step of the last code taken: none at or before it is taken again (RFC 6238 section 5.2).
  last_step bigint not null default 0
);
create table recovery_codes (
  user_id integer not null references users,
  digest bytea not null check (octet_length(digest) = 32),
  primary key (user_id, digest)
);

create table asn_holdings (
  user_id integer primary key references users,
  asn bigint not null check (asn between 1 and 4294967294),
  claimed_at timestamptz not null default now(),
  verified_at timestamptz
);
-- Many may claim a number, one has proved it.
create unique index asn_holdings_verified on asn_holdings (asn) where verified_at is not null;
create index asn_holdings_asn on asn_holdings (asn);

-- Each proof that was asked for, and how it ended. The token of its link is derived from the row, not stored.
create table asn_verifications (
  id integer generated always as identity primary key,
  user_id integer not null references users,
  asn bigint not null,
  method text not null check (method in ('registry_contact', 'staff')),
  strength text not null check (strength in ('low', 'medium', 'high')),
  contact_email text,
  contact_source text,
  requested_by integer references users,
  created_at timestamptz not null,
  link_expires_at timestamptz,
  voided_at timestamptz,
  verified_at timestamptz,
  valid_until timestamptz
);
create index asn_verifications_user on asn_verifications (user_id, id desc);

-- Written by billing, read by whoever is about to cost money.
create table account_standing (
  user_id integer primary key references users,
  may_be_billed boolean not null default false,
  suspended boolean not null default false,
  reason text,
  updated_at timestamptz not null default now()
);

create table ssh_keys (
  id integer generated always as identity primary key,
  user_id integer not null references users,
  name text not null,
  type text not null,
  public_key text not null,
  fingerprint text not null,
  created_at timestamptz not null default now(),
  unique (user_id, fingerprint)
);
