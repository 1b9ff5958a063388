-- Expand: the release before can still run.

-- What staff write down about a user, for each other (decision 39). Rows are only ever added.
create table user_notes (
  id integer generated always as identity primary key,
  user_id integer not null references users (id),
  author_id integer not null references users (id),
  body text not null,
  created_at timestamp with time zone not null,
  constraint user_notes_length check (char_length(body) between 1 and 4000)
);
create index user_notes_user on user_notes (user_id, id desc);
create index user_notes_author on user_notes (author_id);
create trigger user_notes_immutable before update or delete or truncate on user_notes
  for each statement execute function reject_change();

-- Set by the customer or by staff: neither deletes nor reinstalls the router before it is taken off.
alter table routers add column delete_protected boolean not null default false;
