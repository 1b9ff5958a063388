-- The body of an email is encrypted until it is sent, and deleted when it was: the links in it sign people in.
-- `text` and `html` hold bodies that an earlier release queued and has not sent yet.
alter table outgoing_mail
  add column sealed_body bytea,
  alter column text drop not null,
  alter column html drop not null,
  add constraint outgoing_mail_one_body check (sealed_body is null or (text is null and html is null));

update outgoing_mail set text = null, html = null
  where sent_at is not null or dismissed_at is not null or failed_at < now() - interval '30 days';
