/**
 * The letters that accounts send. Those that go to an address nobody has proved yet carry no word that a stranger chose,
 * so that signing up is no way to send one's own text in our name.
 */
import { formatAsn } from '../kernel/asn.ts'
import { queueMail } from '../platform/mail.ts'
import type { Db } from '../platform/db/index.ts'
import { letterhead, type Sender } from './deps.ts'
import { composeLetter, type LetterContent } from './letter.ts'

export interface Addressee {
  readonly email: string
  readonly userId: number | null
}

const NOT_YOU = 'If that was not you, do nothing: without the link nothing happens.'

export const sendVerification = (db: Db, sender: Sender, to: Addressee, token: string): Promise<void> =>
  send(db, sender, to, {
    subject: `Confirm your address for ${sender.config.PRODUCT_NAME}`,
    paragraphs: [`Somebody signed up for ${sender.config.PRODUCT_NAME} with this address.`],
    action: { label: 'Confirm the address', url: link(sender, '/verify/email', token) },
    after: ['The link works once, for 24 hours.', NOT_YOU],
  })

export const sendAccountExists = (db: Db, sender: Sender, to: Addressee, token: string): Promise<void> =>
  send(db, sender, to, {
    subject: `You already have an account at ${sender.config.PRODUCT_NAME}`,
    paragraphs: [
      `Somebody tried to sign up for ${sender.config.PRODUCT_NAME} with this address, which already has an account.`,
      `If that was you, sign in at ${sender.publicUrl()}/login, or set a new password if you forgot yours.`,
    ],
    action: { label: 'Set a new password', url: link(sender, '/password/new', token) },
    after: ['The link works once, for one hour.', NOT_YOU],
  })

export const sendPasswordReset = (db: Db, sender: Sender, to: Addressee, token: string): Promise<void> =>
  send(db, sender, to, {
    subject: `Set a new password for ${sender.config.PRODUCT_NAME}`,
    paragraphs: ['Somebody asked to set a new password for your account.'],
    action: { label: 'Set a new password', url: link(sender, '/password/new', token) },
    after: ['The link works once, for one hour.', NOT_YOU],
  })

export const sendPasswordChanged = (db: Db, sender: Sender, to: Addressee): Promise<void> =>
  sendNotice(db, sender, to, 'The password of your account was changed', 'Other browsers were signed out.')

export const sendSecondFactorChanged = (db: Db, sender: Sender, to: Addressee, on: boolean): Promise<void> =>
  on
    ? sendNotice(db, sender, to, 'Your account now asks for a code', 'An authenticator app was set up.')
    : sendNotice(db, sender, to, 'Your account no longer asks for a code', 'The authenticator app was switched off.')

export const sendAsnVerified = (db: Db, sender: Sender, to: Addressee, asn: number): Promise<void> =>
  sendNotice(db, sender, to, `${formatAsn(asn)} is verified`, 'You can now create routers and announce prefixes.')

/** To a mailbox of the registry: it says who asks, in words that the customer proved, and what following the link means. */
export const sendAsnVerification = (
  db: Db,
  sender: Sender,
  to: string,
  claim: { asn: number; customerEmail: string; token: string },
): Promise<void> =>
  send(
    db,
    sender,
    { email: to, userId: null },
    {
      subject: `May ${claim.customerEmail} use ${formatAsn(claim.asn)} at ${sender.config.PRODUCT_NAME}?`,
      paragraphs: [
        `The customer ${claim.customerEmail} asks to announce routes of ${formatAsn(claim.asn)} through ${sender.config.PRODUCT_NAME}. You get this letter because the registry lists this address for ${formatAsn(claim.asn)}.`,
        'If this customer acts for the holder of the number, confirm it. If not, do nothing, or tell us.',
      ],
      action: {
        label: `Confirm ${formatAsn(claim.asn)}`,
        url: link(sender, '/verify/asn', claim.token),
      },
      after: ['The link works once, for seven days.'],
    },
  )

export const link = (sender: Sender, path: string, token: string): string =>
  `${sender.publicUrl()}${path}?token=${encodeURIComponent(token)}`

const sendNotice = (db: Db, sender: Sender, to: Addressee, subject: string, what: string): Promise<void> =>
  send(db, sender, to, {
    subject,
    paragraphs: [what, `If that was not you, write to ${sender.config.SUPPORT_EMAIL} at once.`],
    action: { label: 'Open the settings', url: `${sender.publicUrl()}/settings` },
  })

const send = (db: Db, sender: Sender, to: Addressee, content: LetterContent): Promise<void> =>
  queueMail(db, { to: to.email, userId: to.userId, ...composeLetter(letterhead(sender), content) })
