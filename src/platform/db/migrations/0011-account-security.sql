-- Passkeys, what a token for programs may do, recent proof of identity, and which mails somebody wants.

-- When whoever sits there last showed that they are the owner: by a password or a passkey.
alter table sessions add column confirmed_at timestamptz;

alter table api_tokens
  -- Tokens of before had no limits.
  add column scopes text[] not null default '{account:write,routers:write,transit:write,billing:write,staff:write}',
  -- Where it may come from; none means anywhere.
  add column networks cidr[] not null default '{}';
alter table api_tokens alter column scopes drop default, alter column networks drop default;

create table passkeys (
  id integer generated always as identity primary key,
  user_id integer not null references users,
  credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  public_key bytea not null,
  -- Of the authenticator; stays 0 for those that are synchronised.
  counter bigint not null,
  transports text[] not null,
  name text not null,
  synced boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id, id);

-- Challenges are derived, not stored; those that were answered are, so that none is answered twice.
create table spent_challenges (
  digest bytea primary key check (octet_length(digest) = 32),
  expires_at timestamptz not null
);
create index spent_challenges_expiry on spent_challenges (expires_at);

-- Kinds of mail that somebody switched off.
create table muted_mails (
  user_id integer not null references users,
  kind text not null,
  primary key (user_id, kind)
);
