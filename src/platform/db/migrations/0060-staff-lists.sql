-- What keeps the staff's lists and counts fast at a million rows: search by trigrams, counts that are kept, pages by index.

-- A trusted extension, so the owner of the database may create it.
create extension if not exists pg_trgm;

alter table users
  -- What a search reads. Begins with a space, so that `% word%` finds the first word as well.
  add column words text not null generated always as (lower(' ' || first_name || ' ' || last_name || ' ' || email)) stored,
  -- There is somebody to charge: `account_standing.may_be_billed`, here because pages are ordered by the rest of this row.
  add column is_customer boolean not null default false;
update users set is_customer = true from account_standing where user_id = users.id and may_be_billed;

create function keep_is_customer() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    update users set is_customer = false where id = old.user_id and is_customer;
  else
    update users set is_customer = new.may_be_billed where id = new.user_id and is_customer <> new.may_be_billed;
  end if;
  return null;
end $$;
create trigger account_standing_kept after insert or delete or update of may_be_billed on account_standing
  for each row execute function keep_is_customer();

-- Whether a search walks the newest rows or asks the trigrams is decided by how common the words are: known finely.
alter table users alter column words set statistics 1000;
create index users_words on users using gin (words gin_trgm_ops) with (fastupdate = off);
create index users_open on users (created_at desc, id desc) where closed_at is null;
create index users_customers on users (created_at desc, id desc) where closed_at is null and is_customer;
drop index users_created;

create index transit_prefixes_value on transit_prefixes using gist (value inet_ops);

-- Counts, as changes that are only ever added: writers never wait for each other, as they would for one counter.
-- A worker folds them; whoever sums them sees the same before and after.
create table list_tallies (
  list text not null,
  -- Of creation, in UTC; -infinity in lists that are not counted by day.
  day date not null,
  change bigint not null
);
create index list_tallies_list on list_tallies (list, day);

create function tally_user() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.closed_at is null then
    insert into list_tallies
      select list, (old.created_at at time zone 'UTC')::date, -1
      from unnest(case when old.is_customer then array['users', 'customers'] else array['users'] end) list;
  end if;
  if tg_op <> 'DELETE' and new.closed_at is null then
    insert into list_tallies
      select list, (new.created_at at time zone 'UTC')::date, 1
      from unnest(case when new.is_customer then array['users', 'customers'] else array['users'] end) list;
  end if;
  return null;
end $$;
create trigger users_tallied after insert or delete or update of closed_at, is_customer, created_at on users
  for each row execute function tally_user();

create function tally_prefix() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into list_tallies values ('prefixes ' || old.status, '-infinity', -1);
  end if;
  if tg_op <> 'DELETE' then
    insert into list_tallies values ('prefixes ' || new.status, '-infinity', 1);
  end if;
  return null;
end $$;
create trigger transit_prefixes_counted after insert or delete on transit_prefixes
  for each row execute function tally_prefix();
-- Checks rewrite prefixes all day; only a change of status counts.
create trigger transit_prefixes_recounted after update of status on transit_prefixes
  for each row when (old.status <> new.status) execute function tally_prefix();

insert into list_tallies
  select 'users', (created_at at time zone 'UTC')::date, count(*) from users where closed_at is null group by 2;
insert into list_tallies
  select 'customers', (created_at at time zone 'UTC')::date, count(*)
  from users where closed_at is null and is_customer group by 2;
insert into list_tallies select 'prefixes ' || status, '-infinity', count(*) from transit_prefixes group by status;
