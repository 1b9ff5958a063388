-- Invoices and credit notes, the run that makes them, payments, and what happens when nobody pays.

create table invoice_series (
  series text primary key,
  next integer not null check (next > 0)
);

create table invoices (
  id integer generated always as identity primary key,
  user_id integer not null,
  currency text not null,
  kind text not null check (kind in ('INVOICE', 'CREDIT_NOTE')),
  reason text not null check (reason in ('MONTHLY', 'CLOSING', 'CORRECTION')),
  status text not null check (status in ('DRAFT', 'OPEN', 'PAID', 'VOID', 'UNCOLLECTIBLE')),
  series text references invoice_series,
  serial integer,
  number text unique,
  period_start timestamptz not null,
  period_end timestamptz not null check (period_end > period_start),
  -- Of a credit note below zero, like its lines.
  subtotal bigint not null,
  tax bigint not null,
  total bigint not null check (total = subtotal + tax),
  tax_rule text check (tax_rule in ('NONE', 'DOMESTIC', 'ONE_STOP_SHOP', 'REVERSE_CHARGE', 'OUTSIDE')),
  tax_rate integer,
  seller jsonb not null default '{}',
  buyer jsonb not null default '{}',
  corrects_id integer references invoices,
  created_at timestamptz not null,
  issued_at timestamptz,
  due_at timestamptz,
  paid_at timestamptz,
  mailed_at timestamptz,
  -- When a card is to be tried next; null when not by itself.
  charge_at timestamptz,
  attempts smallint not null default 0,
  unique (series, serial),
  foreign key (user_id, currency) references billing_customers (user_id, currency),
  check ((status = 'DRAFT') = (number is null)),
  check ((number is null) = (issued_at is null)),
  check ((kind = 'CREDIT_NOTE') = (corrects_id is not null))
);
-- One period of one customer is invoiced once, whoever runs the run and how often.
create unique index invoices_period on invoices (user_id, period_start) where kind = 'INVOICE';
create index invoices_user on invoices (user_id, id desc);
create index invoices_status on invoices (status, id desc);
create index invoices_draft on invoices (id) where status = 'DRAFT';
create index invoices_unmailed on invoices (id) where mailed_at is null and issued_at is not null;
create index invoices_charge on invoices (charge_at) where status = 'OPEN' and charge_at is not null;
create index invoices_due on invoices (due_at) where status = 'OPEN';
create index invoices_corrects on invoices (corrects_id) where corrects_id is not null;

create table invoice_lines (
  invoice_id integer not null references invoices,
  position smallint not null,
  kind text not null check (kind in ('ROUTER', 'CAP', 'ADDRESS', 'COMMIT', 'OVERAGE', 'FEE', 'DISCOUNT', 'CREDIT')),
  -- What it is about: `router:12`, `contract:3`, …
  subject text not null,
  description text not null,
  quantity numeric(20, 6) not null,
  unit text not null,
  unit_price bigint not null,
  amount bigint not null,
  evidence jsonb not null default '{}',
  item_id integer references billing_items,
  primary key (invoice_id, position)
);
create trigger invoice_lines_stand before update or delete or truncate on invoice_lines
  for each statement execute function refuse_change();

create function keep_issued() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'an invoice is never removed: write a credit note' using errcode = 'integrity_constraint_violation';
  end if;
  if old.number is not null and (
    old.number, old.user_id, old.currency, old.kind, old.period_start, old.period_end, old.subtotal, old.tax, old.total,
    old.tax_rule, old.tax_rate, old.seller, old.buyer, old.issued_at, old.due_at, old.series, old.serial
  ) is distinct from (
    new.number, new.user_id, new.currency, new.kind, new.period_start, new.period_end, new.subtotal, new.tax, new.total,
    new.tax_rule, new.tax_rate, new.seller, new.buyer, new.issued_at, new.due_at, new.series, new.serial
  ) then
    raise exception 'an issued invoice is never changed: write a credit note'
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger invoices_stand before update or delete on invoices for each row execute function keep_issued();

-- How far the run of a month has come: every customer up to `reached` is done.
create table billing_runs (
  period_start timestamptz primary key,
  reached integer not null default 0,
  invoices integer not null default 0,
  started_at timestamptz not null,
  finished_at timestamptz
);

create table payments (
  id integer generated always as identity primary key,
  user_id integer not null,
  currency text not null,
  invoice_id integer not null references invoices,
  method_id integer not null references payment_methods,
  provider text not null check (provider in ('stripe', 'test')),
  -- The idempotency key at the provider: what makes an attempt happen once.
  key uuid not null unique default gen_random_uuid(),
  amount bigint not null check (amount > 0),
  status text not null check (status in ('PENDING', 'ACTION_REQUIRED', 'SUCCEEDED', 'DECLINED', 'FAILED')),
  reference text,
  reason text,
  dispute text check (dispute in ('OPEN', 'WON', 'LOST')),
  created_at timestamptz not null,
  settled_at timestamptz,
  unique (provider, reference),
  foreign key (user_id, currency) references billing_customers (user_id, currency)
);
-- Two attempts at once could both succeed: there is one at a time.
create unique index payments_under_way on payments (invoice_id) where status in ('PENDING', 'ACTION_REQUIRED');
create index payments_invoice on payments (invoice_id, id);
create index payments_user on payments (user_id, id desc);
create index payments_open on payments (created_at) where status in ('PENDING', 'ACTION_REQUIRED');

create table refunds (
  id integer generated always as identity primary key,
  payment_id integer not null references payments,
  key uuid not null unique default gen_random_uuid(),
  amount bigint not null check (amount > 0),
  reason text not null,
  status text not null check (status in ('PENDING', 'SUCCEEDED', 'FAILED')),
  reference text,
  failure text,
  created_by integer references users,
  created_at timestamptz not null,
  settled_at timestamptz
);
create index refunds_payment on refunds (payment_id);
create index refunds_open on refunds (id) where status = 'PENDING';

-- What a provider told: each event counts once, in whatever order and however often it comes.
create table provider_events (
  provider text not null,
  event text not null,
  received_at timestamptz not null,
  primary key (provider, event)
);

create table dunning (
  user_id integer primary key references billing_customers,
  stage text not null default 'CLEAR'
    check (stage in ('CLEAR', 'REMINDED', 'WARNED', 'DRAINED', 'SHUT', 'SUSPENDED', 'ENDED')),
  since timestamptz not null
);
create index dunning_stage on dunning (stage) where stage <> 'CLEAR';

-- While an account has ended, nothing more is charged.
create table billing_pauses (
  user_id integer not null references billing_customers,
  starts_at timestamptz not null,
  ends_at timestamptz check (ends_at >= starts_at),
  primary key (user_id, starts_at)
);
create unique index billing_pauses_open on billing_pauses (user_id) where ends_at is null;

-- The busiest slots of the running month so far, so that a dashboard need not read millions of them.
create table transit_usage (
  user_id integer not null references users,
  period_start timestamptz not null,
  pieces jsonb not null,
  measured_at timestamptz not null,
  primary key (user_id, period_start)
);
