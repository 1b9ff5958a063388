-- Who is billed and in which currency, and the books: append-only double entry.

create table billing_customers (
  user_id integer primary key references users,
  -- Every amount of this customer, for good: the books refer to it together with the customer.
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
  -- The registry's number of the consultation: the proof that we asked.
  vat_consultation text,
  vat_due_at timestamptz,
  vat_failures integer not null default 0,
  -- Everything before is on an invoice; null before the first.
  billed_until timestamptz,
  created_at timestamptz not null default now(),
  unique (user_id, currency),
  check ((vat_id is null) = (vat_status = 'NONE'))
);
create index billing_customers_vat on billing_customers (vat_due_at) where vat_due_at is not null;

create table ledger_transactions (
  id bigint generated always as identity primary key,
  -- What it books, named so that the same thing is booked once: `invoice:12`, `payment:7`, …
  source text not null unique,
  user_id integer not null,
  currency text not null,
  at timestamptz not null,
  foreign key (user_id, currency) references billing_customers (user_id, currency)
);
create index ledger_transactions_user on ledger_transactions (user_id, id);

create table ledger_entries (
  id bigint generated always as identity primary key,
  transaction_id bigint not null references ledger_transactions,
  account text not null check (account in (
    'receivable', 'revenue:routers', 'revenue:addresses', 'revenue:transit', 'revenue:fees', 'revenue:reductions',
    'tax', 'cash', 'refunds', 'bad-debt'
  )),
  -- Debit above zero, credit below.
  amount bigint not null check (amount <> 0),
  invoice_id integer,
  line smallint,
  check (account <> 'receivable' or invoice_id is not null)
);
create index ledger_entries_transaction on ledger_entries (transaction_id);
create index ledger_entries_invoice on ledger_entries (invoice_id) where account = 'receivable';

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is never changed or removed: write the opposite beside it', tg_table_name
    using errcode = 'integrity_constraint_violation';
end $$;

create trigger ledger_transactions_stand before update or delete or truncate on ledger_transactions
  for each statement execute function refuse_change();
create trigger ledger_entries_stand before update or delete or truncate on ledger_entries
  for each statement execute function refuse_change();

-- All entries of a transaction come in one statement, so what is balanced then stays balanced.
create function demand_balance() returns trigger language plpgsql as $$
begin
  if exists (select from written group by transaction_id having sum(amount) <> 0) then
    raise exception 'debits and credits of a ledger transaction must be equal'
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create trigger ledger_entries_balance after insert on ledger_entries
  referencing new table as written for each statement execute function demand_balance();
