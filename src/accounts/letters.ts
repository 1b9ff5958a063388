/**
 * The letters that accounts send. Those that go to an address nobody has proved yet carry no word that a stranger chose,
 * so that signing up is no way to send one's own text in our name.
 */
import { formatAsn } from '../kernel/asn.ts'
import { DUTIES, type StaffRole } from '../kernel/duty.ts'
import { queueMail } from '../platform/mail.ts'
import type { Db } from '../platform/db/index.ts'
import { letterhead, type Sender } from './deps.ts'
import { ADDRESS_LINK_HOURS } from './policy.ts'
import { composeLetter, type LetterContent, type Letterhead } from './letter.ts'

export interface Addressee {
  readonly email: string
  readonly userId: number | null
}

const NOT_YOU = 'If that was not you, do nothing: without the link nothing happens.'

export const sendVerification = (
  db: Db,
  sender: Sender,
  to: Addressee,
  { token, signUpsDiffer }: { readonly token: string; readonly signUpsDiffer: boolean },
): Promise<void> =>
  send(db, sender, to, {
    subject: `Confirm your address for ${sender.config.PRODUCT_NAME}`,
    paragraphs: [
      `Someone signed up for ${sender.config.PRODUCT_NAME} with this address.`,
      ...(signUpsDiffer
        ? [
            'More than one sign-up was made with it. The link asks you to choose the password, so that no other one works.',
          ]
        : []),
    ],
    action: { label: 'Confirm the address', url: link(sender, '/verify/email', token) },
    after: [
      `The link works once, for ${ADDRESS_LINK_HOURS} hours.`,
      'If this was not you, ignore this email. Opening the link would confirm an account that someone else made, with a password that they know.',
    ],
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
    'The password of your account was changed',
    'Other browsers were signed out.',
    ...(names.revoked.length > 0
      ? [`These API tokens were revoked: ${quoted(names.revoked)}. Create new ones for the programs that you use.`]
      : []),
    ...(names.kept.length > 0
      ? [`These API tokens still work: ${quoted(names.kept)}. Revoke those you do not know.`]
      : []),
    ...(names.passkeys.length > 0
      ? [`These passkeys still sign in: ${quoted(names.passkeys)}. Remove those you do not know.`]
      : []),
  )

const quoted = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(', ')

export const sendSecondFactorChanged = (db: Db, sender: Sender, to: Addressee, on: boolean): Promise<void> =>
  on
    ? sendNotice(db, sender, to, 'Your account now asks for a code', 'An authenticator app was set up.')
    : sendNotice(db, sender, to, 'Your account no longer asks for a code', 'The authenticator app was switched off.')

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
        `“${name}” signs in to your account from now on.`,
      )
    : sendNotice(db, sender, to, 'A passkey was removed from your account', `“${name}” does not sign in any more.`)

export const sendAsnVerified = (db: Db, sender: Sender, to: Addressee, asn: number): Promise<void> =>
  sendNotice(db, sender, to, `${formatAsn(asn)} is verified`, 'You can now create routers and announce prefixes.')

export const sendChangeToOld = (
  db: Db,
  sender: Sender,
  to: Addressee,
  change: { email: string; token: string },
): Promise<void> =>
  send(db, sender, to, {
    subject: `Change the address of your ${sender.config.PRODUCT_NAME} account?`,
    paragraphs: [`Somebody signed in to your account asks to change its address to ${change.email}.`],
    action: { label: 'Agree to the change', url: changeLink(sender, change.token) },
    after: [
      `The new address must agree as well. The link works once, for ${ADDRESS_LINK_HOURS} hours.`,
      `If that was not you, somebody knows your password: set a new one at ${sender.publicUrl()}/password/reset.`,
    ],
  })

export const sendChangeToNew = (db: Db, sender: Sender, email: string, token: string): Promise<void> =>
  send(
    db,
    sender,
    { email, userId: null },
    {
      subject: `Use this address for your ${sender.config.PRODUCT_NAME} account?`,
      paragraphs: [`Somebody asks to use this address for an account at ${sender.config.PRODUCT_NAME}.`],
      action: { label: 'Use this address', url: changeLink(sender, token) },
      after: [`The old address must agree as well. The link works once, for ${ADDRESS_LINK_HOURS} hours.`, NOT_YOU],
    },
  )

export const sendAddressTaken = (db: Db, sender: Sender, email: string): Promise<void> =>
  send(
    db,
    sender,
    { email, userId: null },
    {
      subject: `You already have an account at ${sender.config.PRODUCT_NAME}`,
      paragraphs: [
        'Somebody asks to use this address for another account. It has an account of its own, so nothing was changed.',
        'If that was you, close the account that you no longer need first.',
      ],
    },
  )

export const sendEmailChanged = (db: Db, sender: Sender, to: Addressee, email: string): Promise<void> =>
  sendNotice(db, sender, to, 'The address of your account was changed', `It is ${email} from now on.`)

export const sendAppointed = (db: Db, sender: Sender, to: Addressee, roles: readonly StaffRole[]): Promise<void> =>
  send(db, sender, to, {
    subject: `You are staff of ${sender.config.PRODUCT_NAME} now`,
    paragraphs: [
      `Your account was made staff: ${roles.map((role) => `${DUTIES[role].label} (${DUTIES[role].covers})`).join(', ')}.`,
      'Sign in as before. You may be asked to set up a second factor first.',
    ],
    action: { label: 'Open the screens of staff', url: `${sender.publicUrl()}/admin` },
  })

export const sendDismissed = (db: Db, sender: Sender, to: Addressee, revokedTokens: readonly string[]): Promise<void> =>
  send(db, sender, to, {
    subject: `You are not staff of ${sender.config.PRODUCT_NAME} any more`,
    paragraphs: [
      'Your account stays, and you were signed out. What it owns stays yours.',
      ...(revokedTokens.length > 0 ? [`These API tokens for staff were revoked: ${quoted(revokedTokens)}.`] : []),
    ],
    action: { label: 'Sign in', url: `${sender.publicUrl()}/login` },
  })

/** Always goes out, once for each time: whose account it is has a right to know who looked. */
export const sendLookedAt = (
  db: Db,
  sender: Sender,
  to: Addressee,
  { staff, reason }: { readonly staff: string; readonly reason: string },
): Promise<void> =>
  send(db, sender, to, ({ supportEmail }) => ({
    subject: `${staff} of ${sender.config.PRODUCT_NAME} looked at your account`,
    paragraphs: [
      `${staff} sees the portal as you do for at most an hour, for this reason: ${reason}`,
      'What they change, if anything, stands in your activity with their name. They never see your password, and cannot change how you sign in.',
    ],
    action: { label: 'Open the activity', url: `${sender.publicUrl()}/settings?tab=activity` },
    after: [`If you did not expect this, write to ${supportEmail}.`],
  }))

export const sendClosed = (db: Db, sender: Sender, to: Addressee): Promise<void> =>
  send(db, sender, to, ({ supportEmail }) => ({
    subject: `Your ${sender.config.PRODUCT_NAME} account is closed`,
    paragraphs: [
      'Nobody can sign in to it any more. Invoices are kept as long as the law wants them kept.',
      `If that was not you, write to ${supportEmail} at once.`,
    ],
  }))

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
    paragraphs: [...what, `If that was not you, write to ${supportEmail} at once.`],
    action: { label: 'Open the settings', url: `${sender.publicUrl()}/settings?tab=sign-in` },
  }))

/** `content` may need to know where people can write to. */
export async function send(
  db: Db,
  sender: Sender,
  to: Addressee,
  content: LetterContent | ((head: Letterhead) => LetterContent),
): Promise<void> {
  const head = await letterhead(db, sender)
  const letter = composeLetter(head, typeof content === 'function' ? content(head) : content)
  await queueMail(db, sender.secretKey, { to: to.email, userId: to.userId, ...letter })
}
