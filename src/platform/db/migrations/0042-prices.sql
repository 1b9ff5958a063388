-- What the operator asks and since when, what is agreed with one customer, and the operator's own terms.

create table price_versions (
  id integer generated always as identity primary key,
  -- `router:<slug of the plan>`, `address:ipv4`, `address:ipv6`, `transit`.
  product text not null check (product ~ '^(router:[a-z0-9-]{1,60}|address:ipv[46]|transit)$'),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  effective_from timestamptz not null,
  hourly_price integer not null check (hourly_price >= 0),
  -- The most that a month costs; of transit the price of the commit.
  monthly_price integer not null check (monthly_price >= 0),
  commit_bps bigint check (commit_bps >= 0),
  -- For each Mbit/s above the commit, for a month.
  overage_price integer check (overage_price >= 0),
  direction text check (direction in ('MAX', 'SUM', 'SEPARATE')),
  created_by integer references users,
  created_at timestamptz not null default now(),
  unique (product, currency, effective_from),
  check ((product = 'transit') = (commit_bps is not null and overage_price is not null and direction is not null))
);
create trigger price_versions_stand before update or truncate on price_versions
  for each statement execute function refuse_change();

create table transit_contracts (
  id integer generated always as identity primary key,
  user_id integer not null,
  currency text not null,
  effective_from timestamptz not null,
  -- False: from then on the price list holds again.
  agreed boolean not null,
  commit_bps bigint not null check (commit_bps >= 0),
  commit_price integer not null check (commit_price >= 0),
  overage_price integer not null check (overage_price >= 0),
  direction text not null check (direction in ('MAX', 'SUM', 'SEPARATE')),
  created_by integer references users,
  created_at timestamptz not null default now(),
  unique (user_id, effective_from),
  foreign key (user_id, currency) references billing_customers (user_id, currency)
);

create table billing_items (
  id integer generated always as identity primary key,
  user_id integer not null,
  currency text not null,
  kind text not null check (kind in ('FEE', 'CREDIT')),
  description text not null,
  -- Minor units, above zero for both kinds.
  amount bigint not null check (amount > 0),
  effective_at timestamptz not null,
  -- How much of it stands on invoices; a credit is used up over several when it must be.
  billed bigint not null default 0 check (billed between 0 and amount),
  created_by integer references users,
  created_at timestamptz not null default now(),
  cancelled_at timestamptz check (cancelled_at is null or billed = 0),
  foreign key (user_id, currency) references billing_customers (user_id, currency)
);
create index billing_items_open on billing_items (user_id) where billed < amount and cancelled_at is null;

create table billing_discounts (
  id integer generated always as identity primary key,
  user_id integer not null references billing_customers,
  description text not null,
  -- Hundredths of a percent.
  percent integer not null check (percent between 1 and 10000),
  scope text not null check (scope in ('ALL', 'ROUTERS', 'TRANSIT')),
  starts_at timestamptz not null,
  ends_at timestamptz check (ends_at > starts_at),
  created_by integer references users,
  created_at timestamptz not null default now()
);
create index billing_discounts_user on billing_discounts (user_id);

create table tax_rates (
  country text not null check (country ~ '^[A-Z]{2}$'),
  effective_from date not null,
  -- Hundredths of a percent.
  rate integer not null check (rate between 0 and 10000),
  primary key (country, effective_from)
);
-- Standard rates of value added tax in the European Union (Directive 2006/112/EC article 97), as of 2026.
insert into tax_rates (country, effective_from, rate) values
  ('AT', '2016-01-01', 2000), ('BE', '2016-01-01', 2100), ('BG', '2016-01-01', 2000), ('CY', '2016-01-01', 1900),
  ('CZ', '2016-01-01', 2100), ('DE', '2021-01-01', 1900), ('DK', '2016-01-01', 2500), ('EE', '2025-07-01', 2400),
  ('ES', '2016-01-01', 2100), ('FI', '2024-09-01', 2550), ('FR', '2016-01-01', 2000), ('GR', '2016-06-01', 2400),
  ('HR', '2016-01-01', 2500), ('HU', '2016-01-01', 2700), ('IE', '2021-03-01', 2300), ('IT', '2016-01-01', 2200),
  ('LT', '2016-01-01', 2100), ('LU', '2024-01-01', 1700), ('LV', '2016-01-01', 2100), ('MT', '2016-01-01', 1800),
  ('NL', '2016-01-01', 2100), ('PL', '2016-01-01', 2300), ('PT', '2016-01-01', 2300), ('RO', '2025-08-01', 2100),
  ('SE', '2016-01-01', 2500), ('SI', '2016-01-01', 2200), ('SK', '2025-01-01', 2300);

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
  -- Whether tax is charged at all, and whether consumers abroad are charged their own country's (one-stop shop).
  charges_tax boolean not null default false,
  one_stop_shop boolean not null default false,
  series_prefix text not null default 'INV' check (series_prefix ~ '^[A-Z0-9]{1,8}$'),
  payment_days smallint not null default 14 check (payment_days between 0 and 90),
  -- Days after the due date.
  reminder_days smallint not null default 1,
  warning_days smallint not null default 10,
  drain_days smallint not null default 14,
  shut_days smallint not null default 15,
  suspend_days smallint not null default 17,
  end_days smallint not null default 45,
  -- An account is new until its first invoice was paid. Generous: the operator tightens them.
  new_account_routers smallint not null default 25 check (new_account_routers >= 0),
  new_account_owed bigint not null default 100000 check (new_account_owed >= 0),
  check (0 <= reminder_days and reminder_days < warning_days and warning_days < drain_days and drain_days < shut_days
    and shut_days <= suspend_days and suspend_days < end_days)
);
insert into billing_settings (id) values (1);
