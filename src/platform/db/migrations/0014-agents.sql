-- Expand: the release before can still run.
-- The authority that certifies the keys of agents, one for the installation (decision 34). Its key is sealed.
create table agent_authority (
  id boolean primary key default true check (id),
  certificate text not null,
  encrypted_key bytea not null
);
-- One that waits for each hypervisor or edge: a new one replaces it. It is gone once it was used.
create table agent_tokens (
  kind text not null check (kind in ('hypervisor', 'edge')),
  slug text not null check (slug ~ '^[a-z0-9-]{1,40}$'),
  digest bytea not null unique,
  expires_at timestamptz not null,
  primary key (kind, slug)
);
-- What speaks for a hypervisor or an edge, known by the SHA-256 of its public key.
create table agents (
  id int generated always as identity primary key,
  kind text not null check (kind in ('hypervisor', 'edge')),
  slug text not null check (slug ~ '^[a-z0-9-]{1,40}$'),
  key_digest text not null unique check (key_digest ~ '^[0-9a-f]{64}$'),
  enrolled_at timestamptz not null,
  revoked_at timestamptz,
  connected_at timestamptz,
  seen_at timestamptz,
  release text check (char_length(release) <= 100)
);
create unique index agents_accepted on agents (kind, slug) where revoked_at is null;
create index agents_of on agents (kind, slug, id desc);
