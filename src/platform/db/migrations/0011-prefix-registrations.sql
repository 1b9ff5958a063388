-- Expand: the release before can still run.

-- What the registry of the addresses says of them (RDAP, RFC 9083). A silent registry leaves its last answer as it was.
create table prefix_registrations (
  prefix_id integer primary key references transit_prefixes (id) on delete cascade,
  -- Null: it has never answered. With an answer and without a handle the addresses are not registered there.
  answered_at timestamp with time zone,
  registry text,
  handle text,
  name text,
  type text,
  holder text,
  registrants jsonb not null default '[]',
  contacts jsonb not null default '[]',
  placeholder boolean not null default false,
  registered_at timestamp with time zone,
  changed_at timestamp with time zone,
  -- Raised when the block changes hands: the token of its former holder proves nothing of the next.
  round integer not null default 0,
  error text,
  checked_at timestamp with time zone not null,
  next_check_at timestamp with time zone not null
);
create index prefix_registrations_due on prefix_registrations (next_check_at);
