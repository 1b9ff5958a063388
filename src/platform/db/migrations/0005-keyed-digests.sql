-- Expand: the release before can still run.
-- Digests of sessions and API tokens are now keyed (decision 33): those of the release before open nothing.
delete from sessions;
delete from api_tokens;
-- The name under which an authenticator keeps the account. It outlives the key that it was derived under.
alter table passkeys add column user_handle text;
