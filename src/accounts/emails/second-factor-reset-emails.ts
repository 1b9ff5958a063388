/** Emails to customers and staff about a second factor reset (decision 39). None can be turned off. */
import type { UserId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Sender } from '../deps.ts'
import { APPROVAL_HOURS } from '../second-factor-reset/limits.ts'
import { STOP_PREFIX } from '../second-factor-reset/stop-link.ts'
import { send, type Addressee } from './emails.ts'
import type { Notification } from './notify.ts'
import { formatUtc } from '../../kernel/utc.ts'

const HOUR = 3_600_000

const inWords = (ms: number): string => {
  const hours = ms / HOUR
  if (hours >= 48 && hours % 24 === 0) return `${hours / 24} days`
  if (hours === 1) return '60 minutes'
  return Number.isInteger(hours) ? `${hours} hours` : `${Math.round(ms / 60_000)} minutes`
}

const REMOVED =
  'your authenticator app, passkeys and recovery codes are removed, you are signed out everywhere and all API tokens are revoked. Your password stays the same.'
const FOUND = 'Found your second factor? Sign in with it, and the reset ends.'

const stopLink = (sender: Sender, token: string) => ({
  label: 'Stop the reset',
  url: `${sender.publicUrl()}/verify/email?change=${STOP_PREFIX}${encodeURIComponent(token)}`,
})

export const sendResetRequested = (
  db: Db,
  sender: Sender,
  to: Addressee,
  { token, waitMs }: { readonly token: string; readonly waitMs: number },
): Promise<void> =>
  send(db, sender, to, ({ supportEmail }) => ({
    subject: `Reset of the second factor of your ${sender.config.PRODUCT_NAME} account requested`,
    paragraphs: [
      'Our staff heard that you lost your second factor, and requested a reset.',
      `Nothing has changed yet. A second member of staff must approve it within ${APPROVAL_HOURS} hours. Once it is approved and ${inWords(waitMs)} have passed, ${REMOVED}`,
      'If you asked for this, no action is needed. If you did not, stop it.',
    ],
    action: stopLink(sender, token),
    after: [FOUND, `If this wasn’t you, contact ${supportEmail} immediately: someone tried to get into your account.`],
  }))

export const sendResetApproved = (
  db: Db,
  sender: Sender,
  to: Addressee,
  { token, dueAt }: { readonly token: string; readonly dueAt: Date },
): Promise<void> =>
  send(db, sender, to, ({ supportEmail }) => ({
    subject: `Your second factor will be reset on ${formatUtc(dueAt)}`,
    paragraphs: [
      'A second member of our staff approved the reset of your second factor.',
      `On ${formatUtc(dueAt)}, ${REMOVED}`,
      'If you asked for this, no action is needed. If you did not, stop it.',
    ],
    action: stopLink(sender, token),
    after: [FOUND, `If this wasn’t you, contact ${supportEmail} immediately: someone tried to get into your account.`],
  }))

export const sendResetCompleted = (
  db: Db,
  sender: Sender,
  to: Addressee,
  revokedTokens: readonly string[],
): Promise<void> =>
  send(db, sender, to, ({ supportEmail }) => ({
    subject: `The second factor of your ${sender.config.PRODUCT_NAME} account was reset`,
    paragraphs: [
      'Your authenticator app, passkeys and recovery codes were removed, and you were signed out everywhere.',
      ...(revokedTokens.length > 0
        ? [`These API tokens were revoked: ${revokedTokens.map((name) => `“${name}”`).join(', ')}.`]
        : []),
      'Your password alone signs in now. Sign in and set up a new second factor.',
    ],
    action: { label: 'Sign in', url: `${sender.publicUrl()}/login` },
    after: [
      `If this wasn’t you, set a new password at ${sender.publicUrl()}/password/reset and contact ${supportEmail} immediately.`,
    ],
  }))

const ENDED = {
  expired: 'No second member of staff approved the reset in time.',
  stopped: 'You stopped the reset, with the link of an email or while signed in.',
  cancelled: 'Our staff canceled the reset.',
  factor_used: 'A second factor was used or changed, so it is not lost.',
} as const

export const sendResetEnded = (db: Db, sender: Sender, to: Addressee, outcome: keyof typeof ENDED): Promise<void> =>
  send(db, sender, to, ({ supportEmail }) => ({
    subject: `Your second factor is not reset`,
    paragraphs: [ENDED[outcome], 'Your authenticator app, passkeys and recovery codes still work.'],
    action: { label: 'Open settings', url: `${sender.publicUrl()}/settings?tab=sign-in` },
    after: [`If you did not expect this, contact ${supportEmail}.`],
  }))

export const resetRequestedForStaff = (request: {
  readonly userId: UserId
  readonly email: string
  readonly by: string
  readonly reason: string
  readonly identityCheck: string
  readonly approveBefore: Date
}): Notification => ({
  subject: `Second factor reset requested for ${request.email}`,
  paragraphs: [
    `${request.by} requested to reset the second factor of ${request.email}.`,
    `Reason: ${request.reason}`,
    `Identity check: ${request.identityCheck}`,
    `Another member of staff can approve it until ${formatUtc(request.approveBefore)}. Cancel it if you doubt the request.`,
  ],
  action: { label: 'View user', path: `/admin/users/${request.userId}` },
})
