/**
 * The emails of accounts. An email to an unconfirmed address contains no text that the requester chose,
 * so that sign-up cannot be used to send someone's own text in our name.
 */
import type { UserId } from '../../kernel/ids.ts'
import { formatAsn } from '../../kernel/asn.ts'
import { ROLES, type StaffRole } from '../../kernel/required-role.ts'
import { queueMail } from '../../platform/mail.ts'
import type { Db } from '../../platform/db/index.ts'
import { emailHeader, type Sender } from '../deps.ts'
import { ADDRESS_LINK_HOURS } from '../policy.ts'
import { composeEmail, type EmailContent, type EmailHeader } from './email.ts'

export interface Addressee {
  readonly email: string
  readonly userId: UserId | null
}

const NOT_YOU = 'If this wasn’t you, ignore this email.'

export const sendVerification = (
  db: Db,
  sender: Sender,
  to: Addressee,
  { token, signUpsDiffer }: { readonly token: string; readonly signUpsDiffer: boolean },
): Promise<void> =>
  send(db, sender, to, {
    subject: `Confirm your email address for ${sender.config.PRODUCT_NAME}`,
    paragraphs: [
      `Someone signed up for ${sender.config.PRODUCT_NAME} with this address.`,
      ...(signUpsDiffer
        ? ['There was more than one sign-up. The link asks you to choose a password; no other password will work.']
        : []),
    ],
    action: { label: 'Confirm email address', url: link(sender, '/verify/email', token) },
    after: [
      `The link can be used once and expires in ${ADDRESS_LINK_HOURS} hours.`,
      'If this wasn’t you, ignore this email. The link would confirm an account someone else created, with a password they know.',
    ],
  })

export const sendAccountExists = (db: Db, sender: Sender, to: Addressee, token: string): Promise<void> =>
  send(db, sender, to, {
    subject: `You already have a ${sender.config.PRODUCT_NAME} account`,
    paragraphs: [
      `Someone tried to sign up for ${sender.config.PRODUCT_NAME} with this address, which already has an account.`,
      `If this was you, sign in at ${sender.publicUrl()}/login, or set a new password if you forgot yours.`,
    ],
    action: { label: 'Set a new password', url: link(sender, '/password/new', token) },
    after: ['The link can be used once and expires in one hour.', NOT_YOU],
  })

export const sendPasswordReset = (db: Db, sender: Sender, to: Addressee, token: string): Promise<void> =>
  send(db, sender, to, {
    subject: `Reset your ${sender.config.PRODUCT_NAME} password`,
    paragraphs: ['Someone requested a password reset for your account.'],
    action: { label: 'Set a new password', url: link(sender, '/password/new', token) },
    after: ['The link can be used once and expires in one hour.', NOT_YOU],
  })

export const sendPasswordChanged = (
  db: Db,
  sender: Sender,
  to: Addressee,
  names: {
    readonly revoked: readonly string[]
    readonly kept: readonly string[]
    readonly passkeys: readonly string[]
  },
): Promise<void> =>
  sendNotice(
    db,
    sender,
    to,
    'Your password was changed',
    'You were signed out in all other browsers.',
    ...(names.revoked.length > 0
      ? [`These API tokens were revoked: ${quoted(names.revoked)}. Create new tokens for the programs you use.`]
      : []),
    ...(names.kept.length > 0
      ? [`These API tokens still work: ${quoted(names.kept)}. Revoke any you don’t recognize.`]
      : []),
    ...(names.passkeys.length > 0
      ? [`These passkeys can still sign in: ${quoted(names.passkeys)}. Remove any you don’t recognize.`]
      : []),
  )

const quoted = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(', ')

export const sendSecondFactorChanged = (db: Db, sender: Sender, to: Addressee, on: boolean): Promise<void> =>
  on
    ? sendNotice(
        db,
        sender,
        to,
        'An authenticator app was added to your account',
        'Signing in with your password now also requires a code from the app.',
      )
    : sendNotice(
        db,
        sender,
        to,
        'The authenticator app was removed from your account',
        'Its codes no longer sign in to your account.',
      )

export const sendPasskeysChanged = (
  db: Db,
  sender: Sender,
  to: Addressee,
  { name, added }: { name: string; added: boolean },
): Promise<void> =>
  added
    ? sendNotice(
        db,
        sender,
        to,
        'A passkey was added to your account',
        `“${name}” can now sign in to your account.`,
        'Signing in with your password now also requires a recovery code or a code from an authenticator app.',
      )
    : sendNotice(db, sender, to, 'A passkey was removed from your account', `“${name}” can no longer sign in.`)

export const sendAsnVerified = (db: Db, sender: Sender, to: Addressee, asn: number): Promise<void> =>
  sendNotice(db, sender, to, `${formatAsn(asn)} is verified`, 'You can now create routers and announce prefixes.')

export const sendChangeToOld = (
  db: Db,
  sender: Sender,
  to: Addressee,
  change: { email: string; token: string },
): Promise<void> =>
  send(db, sender, to, {
    subject: `Change the email address of your ${sender.config.PRODUCT_NAME} account?`,
    paragraphs: [`Someone signed in to your account requested a change of its email address to ${change.email}.`],
    action: { label: 'Confirm change', url: changeLink(sender, change.token) },
    after: [
      `The new address must confirm as well. The link can be used once and expires in ${ADDRESS_LINK_HOURS} hours.`,
      `If this wasn’t you, someone knows your password. Set a new one at ${sender.publicUrl()}/password/reset.`,
    ],
  })

export const sendChangeToNew = (db: Db, sender: Sender, email: string, token: string): Promise<void> =>
  send(
    db,
    sender,
    { email, userId: null },
    {
      subject: `Use this address for your ${sender.config.PRODUCT_NAME} account?`,
      paragraphs: [`Someone requested to use this address for a ${sender.config.PRODUCT_NAME} account.`],
      action: { label: 'Use this address', url: changeLink(sender, token) },
      after: [
        `The old address must confirm as well. The link can be used once and expires in ${ADDRESS_LINK_HOURS} hours.`,
        NOT_YOU,
      ],
    },
  )

export const sendAddressTaken = (db: Db, sender: Sender, email: string): Promise<void> =>
  send(
    db,
    sender,
    { email, userId: null },
    {
      subject: `You already have a ${sender.config.PRODUCT_NAME} account`,
      paragraphs: [
        'Someone requested to use this address for another account. The address already has an account, so nothing was changed.',
        'If this was you, first close the account you no longer need.',
      ],
    },
  )

export const sendEmailChanged = (db: Db, sender: Sender, to: Addressee, email: string): Promise<void> =>
  sendNotice(db, sender, to, 'Your email address was changed', `Your account’s email address is now ${email}.`)

export const sendStaffGranted = (db: Db, sender: Sender, to: Addressee, roles: readonly StaffRole[]): Promise<void> =>
  send(db, sender, to, {
    subject: `You now have staff access to ${sender.config.PRODUCT_NAME}`,
    paragraphs: [
      `Your roles: ${roles.map((role) => `${ROLES[role].label} (${ROLES[role].covers})`).join(', ')}.`,
      'Sign in as usual. You may need to set up two-factor authentication first.',
    ],
    action: { label: 'Open staff pages', url: `${sender.publicUrl()}/admin` },
  })

export const sendStaffRevoked = (
  db: Db,
  sender: Sender,
  to: Addressee,
  revokedTokens: readonly string[],
): Promise<void> =>
  send(db, sender, to, {
    subject: `Your staff access to ${sender.config.PRODUCT_NAME} was removed`,
    paragraphs: [
      'You were signed out. Your customer account and its resources are not affected.',
      ...(revokedTokens.length > 0 ? [`These staff API tokens were revoked: ${quoted(revokedTokens)}.`] : []),
    ],
    action: { label: 'Sign in', url: `${sender.publicUrl()}/login` },
  })

/** Sent for every impersonation and cannot be turned off: the account owner has a right to know. */
export const sendImpersonated = (
  db: Db,
  sender: Sender,
  to: Addressee,
  { staff, reason }: { readonly staff: string; readonly reason: string },
): Promise<void> =>
  send(db, sender, to, ({ supportEmail }) => ({
    subject: `${staff} of ${sender.config.PRODUCT_NAME} viewed your account`,
    paragraphs: [
      `${staff} can see the portal as you for up to one hour. Reason: ${reason}`,
      'Any changes they make are listed in your activity with their name. They can’t see your password or change how you sign in.',
    ],
    action: { label: 'View activity', url: `${sender.publicUrl()}/settings?tab=activity` },
    after: [`If you did not expect this, contact ${supportEmail}.`],
  }))

export const sendClosed = (db: Db, sender: Sender, to: Addressee): Promise<void> =>
  send(db, sender, to, ({ supportEmail }) => ({
    subject: `Your ${sender.config.PRODUCT_NAME} account is closed`,
    paragraphs: [
      'It can no longer be used to sign in. Invoices are kept for as long as the law requires.',
      `If this wasn’t you, contact ${supportEmail} immediately.`,
    ],
  }))

/** Sent to a contact of the registry. It names the customer by their confirmed address only. */
export const sendAsnVerification = (
  db: Db,
  sender: Sender,
  to: string,
  verification: { asn: number; customerEmail: string; token: string },
): Promise<void> =>
  send(
    db,
    sender,
    { email: to, userId: null },
    {
      subject: `May ${verification.customerEmail} use ${formatAsn(verification.asn)} at ${sender.config.PRODUCT_NAME}?`,
      paragraphs: [
        `The customer ${verification.customerEmail} wants to announce routes of ${formatAsn(verification.asn)} through ${sender.config.PRODUCT_NAME}. You receive this email because the registry lists this address for ${formatAsn(verification.asn)}.`,
        'Confirm only if this customer acts for the holder of the ASN. Otherwise, ignore this email or let us know.',
      ],
      action: {
        label: `Confirm ${formatAsn(verification.asn)}`,
        url: link(sender, '/verify/asn', verification.token),
      },
      after: ['The link can be used once and expires in seven days.'],
    },
  )

export const link = (sender: Pick<Sender, 'publicUrl'>, path: string, token: string): string =>
  `${sender.publicUrl()}${path}?token=${encodeURIComponent(token)}`

const changeLink = (sender: Sender, token: string): string =>
  `${sender.publicUrl()}/verify/email?change=${encodeURIComponent(token)}`

export const sendNotice = (
  db: Db,
  sender: Sender,
  to: Addressee,
  subject: string,
  ...what: readonly string[]
): Promise<void> =>
  send(db, sender, to, ({ supportEmail }) => ({
    subject,
    paragraphs: [...what, `If this wasn’t you, contact ${supportEmail} immediately.`],
    action: { label: 'Open settings', url: `${sender.publicUrl()}/settings?tab=sign-in` },
  }))

/** `content` may depend on the support address. */
export async function send(
  db: Db,
  sender: Sender,
  to: Addressee,
  content: EmailContent | ((head: EmailHeader) => EmailContent),
): Promise<void> {
  const head = await emailHeader(db, sender)
  const composed = composeEmail(head, typeof content === 'function' ? content(head) : content)
  await queueMail(db, sender.secretKey, { to: to.email, userId: to.userId, ...composed })
}
