import { sql } from 'kysely'
import './tables.ts'

/** SQL condition on `users`: true with an authenticator app switched on, or a passkey, which is two factors at once. */
export const hasSecondFactor = sql<boolean>`(
  exists (select from totp_factors f where f.user_id = users.id and f.confirmed_at is not null)
  or exists (select from passkeys p where p.user_id = users.id))`.as('hasSecondFactor')
