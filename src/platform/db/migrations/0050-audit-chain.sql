-- The trail as a chain: each line is hashed together with the hash of the line before, so that a line that was changed,
-- taken out, put in or moved shows. The links stand beside the lines, which are never written a second time.

create table audit_links (
  -- Without gaps, in the order in which transactions ended.
  position bigint primary key check (position > 0),
  event_id bigint not null unique,
  prev_hash bytea not null check (octet_length(prev_hash) = 32),
  hash bytea not null check (octet_length(hash) = 32)
);

-- One row: where the chain ends, so that lines missing at its end show too. Room in the page keeps its updates cheap.
create table audit_head (
  id smallint primary key check (id = 1),
  position bigint not null,
  hash bytea not null check (octet_length(hash) = 32)
) with (fillfactor = 10);
insert into audit_head (id, position, hash) values (1, 0, decode(repeat('00', 32), 'hex'));

-- Each field with its length before it, so that no two lines have the same text.
create function audit_field(value text) returns text language sql immutable parallel safe as $$
  select coalesce(octet_length(convert_to(value, 'UTF8')) || ':' || value, '-') || ','
$$;

create function audit_text(event audit_events) returns text language sql stable parallel safe as $$
  select audit_field(event.id::text)
    || audit_field(to_char(event.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'))
    || audit_field(event.actor_id::text) || audit_field(event.actor_kind) || audit_field(event.action)
    || audit_field(event.subject_type) || audit_field(event.subject_id::text) || audit_field(event.user_id::text)
    || audit_field(event.ip::text) || audit_field(event.request_id) || audit_field(event.data::text)
$$;

create function audit_hash(place bigint, prev_hash bytea, event audit_events) returns bytea language sql stable parallel safe as $$
  select sha256(convert_to(audit_field(place::text) || audit_field(encode(prev_hash, 'hex')) || audit_text(event), 'UTF8'))
$$;

create function link_audit_event() returns trigger language plpgsql as $$
declare
  head audit_head;
  event audit_events;
begin
  if exists (select from audit_links where event_id = new.id) then return null; end if;
  -- The lock on the head is what orders the chain. A transaction on an older snapshot fails here to serialise, and is tried again.
  select * into strict head from audit_head for update;
  -- The first line of a transaction takes all of its lines along: a head written for each would be as many dead rows,
  -- read again for the next. Lines of a subtransaction have another xmin and come by themselves.
  for event in
    select e.* from audit_events e
    where e.id >= new.id and (e.id = new.id or e.xmin = pg_current_xact_id()::xid)
      and not exists (select from audit_links l where l.event_id = e.id)
    order by e.id
  loop
    insert into audit_links (position, event_id, prev_hash, hash)
      values (head.position + 1, event.id, head.hash, audit_hash(head.position + 1, head.hash, event))
      returning position, hash into head.position, head.hash;
  end loop;
  update audit_head set position = head.position, hash = head.hash;
  return null;
end $$;

-- At commit, after every other lock is had: taken while a transaction still works, the head's lock could deadlock with rows.
create constraint trigger audit_events_link after insert on audit_events
  deferrable initially deferred for each row execute function link_audit_event();

do $$
declare
  event audit_events;
  head audit_head;
begin
  select * into strict head from audit_head;
  for event in select * from audit_events order by id loop
    insert into audit_links (position, event_id, prev_hash, hash)
      values (head.position + 1, event.id, head.hash, audit_hash(head.position + 1, head.hash, event))
      returning position, hash into head.position, head.hash;
  end loop;
  update audit_head set position = head.position, hash = head.hash;
end $$;

create trigger audit_events_stand before update or delete or truncate on audit_events
  for each statement execute function refuse_change();
create trigger audit_links_stand before update or delete or truncate on audit_links
  for each statement execute function refuse_change();
create trigger audit_head_stands before insert or delete or truncate on audit_head
  for each statement execute function refuse_change();

-- For staff who search the trail.
create index audit_events_actor on audit_events (actor_id, id desc) where actor_id is not null;
create index audit_events_action on audit_events (action, id desc);
create index audit_events_at on audit_events (at, id);
