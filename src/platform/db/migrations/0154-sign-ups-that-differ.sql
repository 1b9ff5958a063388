-- Two sign-ups with one address and different passwords: following a link alone must not choose between them.
alter table users add sign_ups_differ boolean not null default false;

update users set sign_ups_differ = true
  where email_verified_at is null and exists (
    select from mail_tokens
      where mail_tokens.user_id = users.id and purpose = 'verify_email' and payload ->> 'passwordHash' <> users.password_hash
  );
