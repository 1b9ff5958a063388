-- A console that an API token asked for ends with the token, as one of a session ends with the session.
alter table console_tickets add column token_id integer;
