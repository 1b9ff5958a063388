/** Emails to the owner about changes to sign-in methods. None can be turned off: they are the last line of defense. */
import type { Db } from '../../platform/db/index.ts'
import type { Sender } from '../deps.ts'
import { send, sendNotice, type Addressee } from './emails.ts'
import { formatUtc } from '../../kernel/utc.ts'

export const emailNewDevice = (
  db: Db,
  sender: Sender,
  to: Addressee,
  { browser, ip, at }: { browser: string; ip: string; at: Date },
): Promise<void> =>
  send(db, sender, to, {
    subject: `New sign-in to your ${sender.config.PRODUCT_NAME} account`,
    paragraphs: [
      'Someone signed in to your account from a new browser or network.',
      `When: ${formatUtc(at)}`,
      `Browser: ${browser}`,
      `Address: ${ip}`,
      'If this was you, no action is needed.',
    ],
    action: { label: 'Review sessions', url: `${sender.publicUrl()}/settings?tab=sign-in` },
    after: [`If this wasn’t you, end that session, then set a new password at ${sender.publicUrl()}/password/reset.`],
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
    'An API token was created',
    `“${name}” has access to ${scopes.join(', ')} until ${expiresAt.toISOString().slice(0, 10)}.`,
  )

export const sendRecoveryCodeUsed = (db: Db, sender: Sender, to: Addressee, left: number): Promise<void> =>
  sendNotice(
    db,
    sender,
    to,
    'A recovery code was used to sign in',
    left === 0
      ? 'It was your last one. Generate new codes, or you will be locked out if you lose your authenticator app.'
      : `It can’t be used again; ${left === 1 ? 'one remains' : `${left} remain`}.`,
  )

export const sendRecoveryCodesRenewed = (db: Db, sender: Sender, to: Addressee): Promise<void> =>
  sendNotice(db, sender, to, 'New recovery codes were generated', 'Your old codes no longer work.')

export const sendWrongCodes = (db: Db, sender: Sender, to: Addressee): Promise<void> =>
  send(db, sender, to, {
    subject: 'Someone entered wrong codes for your account',
    paragraphs: [
      'Someone who knows your password entered five or more wrong codes in the last hour. They were not signed in.',
      'If this was you, no action is needed. Your recovery codes and passkeys still work.',
    ],
    action: { label: 'Set a new password', url: `${sender.publicUrl()}/password/reset` },
    after: ['If this wasn’t you, set a new password now.'],
  })
