-- Expand: the release before can still run.

-- Links mailed to registry contacts: of the block of a prefix, or of the ASN of its downstream. The token in a link is derived
-- from the row, so the database alone opens none.
create table prefix_contact_links (
  id integer generated always as identity primary key,
  prefix_id integer not null references transit_prefixes (id) on delete cascade,
  purpose text not null check (purpose in ('SPACE', 'DOWNSTREAM')),
  -- As they were when it was sent: a link that was followed later under another ASN or holder says nothing.
  customer_asn bigint not null,
  origin_asn bigint,
  round integer not null,
  contact_email text not null,
  contact_roles jsonb not null default '[]',
  contact_source text not null,
  -- The registration that named the contact, and who held it.
  registry text not null,
  handle text not null,
  registrants jsonb not null default '[]',
  requested_by integer references users (id) on delete set null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  valid_until timestamp with time zone,
  -- Followed in a browser that was signed in as the customer.
  by_customer boolean not null default false,
  voided_at timestamp with time zone,
  constraint prefix_contact_links_origin check ((purpose = 'DOWNSTREAM') = (origin_asn is not null))
);
create index prefix_contact_links_prefix on prefix_contact_links (prefix_id);
create index prefix_contact_links_staff on prefix_contact_links (requested_by);
