-- Ways to pay. No card number ever gets here: a provider keeps the card, we keep the provider's word for it.

create table payment_customers (
  user_id integer not null references users,
  provider text not null check (provider in ('stripe', 'test')),
  customer text not null,
  primary key (user_id, provider),
  unique (provider, customer)
);

create table payment_methods (
  id integer generated always as identity primary key,
  user_id integer not null references users,
  provider text not null check (provider in ('stripe', 'test')),
  reference text not null,
  brand text not null,
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  exp_month smallint not null check (exp_month between 1 and 12),
  exp_year smallint not null,
  is_default boolean not null,
  created_at timestamptz not null,
  -- Kept for the invoices that name it.
  removed_at timestamptz,
  unique (provider, reference)
);
create index payment_methods_user on payment_methods (user_id, id) where removed_at is null;
create unique index payment_methods_default on payment_methods (user_id) where is_default and removed_at is null;
