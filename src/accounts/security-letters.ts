/** What an owner must hear of the ways into the account. Nobody can switch these off: they are the last line of defence. */
import type { Db } from '../platform/db/index.ts'
import type { Sender } from './deps.ts'
import { send, sendNotice, type Addressee } from './letters.ts'

export const sendNewPlace = (
  db: Db,
  sender: Sender,
  to: Addressee,
  { browser, ip, at }: { browser: string; ip: string; at: Date },
): Promise<void> =>
  send(db, sender, to, {
    subject: `New sign-in to your ${sender.config.PRODUCT_NAME} account`,
    paragraphs: [
      'Somebody signed in to your account from a browser or a network that it was not used from before.',
      `When: ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      `Browser: ${browser}`,
      `Address: ${ip}`,
      'If that was you, there is nothing to do.',
    ],
    action: { label: 'See and end sessions', url: `${sender.publicUrl()}/settings?tab=sign-in` },
    after: [
      `If that was not you, somebody knows how you sign in: end that session there, then set a new password at ${sender.publicUrl()}/password/reset.`,
    ],
  })

export const sendTokenMade = (
  db: Db,
  sender: Sender,
  to: Addressee,
  { name, scopes, expiresAt }: { name: string; scopes: readonly string[]; expiresAt: Date },
): Promise<void> =>
  sendNotice(
    db,
    sender,
    to,
    'An API token was made for your account',
    `“${name}” may use ${scopes.join(', ')} until ${expiresAt.toISOString().slice(0, 10)}.`,
  )

export const sendRecoveryCodeUsed = (db: Db, sender: Sender, to: Addressee, left: number): Promise<void> =>
  sendNotice(
    db,
    sender,
    to,
    'A recovery code was used to sign in to your account',
    left === 0
      ? 'It was the last one: make new ones, or you are locked out without your authenticator app.'
      : `It counts no more; ${left === 1 ? 'one is' : `${left} are`} left.`,
  )

export const sendRecoveryCodesRenewed = (db: Db, sender: Sender, to: Addressee): Promise<void> =>
  sendNotice(
    db,
    sender,
    to,
    'New recovery codes were made for your account',
    'Those that you kept before count no more.',
  )
