/** Emails to users about what staff did to their account. None can be turned off. */
import type { Db } from '../../platform/db/index.ts'
import type { Sender } from '../deps.ts'
import { send, type Addressee } from './emails.ts'

export const sendSignedOut = (db: Db, sender: Sender, to: Addressee): Promise<void> =>
  send(db, sender, to, ({ supportEmail }) => ({
    subject: `You were signed out of ${sender.config.PRODUCT_NAME}`,
    paragraphs: [
      'Our staff ended all sessions of your account. Sign in again to continue.',
      'API tokens still work. To revoke them as well, set a new password.',
    ],
    action: { label: 'Sign in', url: `${sender.publicUrl()}/login` },
    after: [`If you did not expect this, contact ${supportEmail}.`],
  }))

/** States the reason and whom to contact. It says that no invoice caused this, so that nobody pays to end it. */
export const sendSuspended = (db: Db, sender: Sender, to: Addressee, reason: string): Promise<void> =>
  send(db, sender, to, ({ supportEmail }) => ({
    subject: `Your ${sender.config.PRODUCT_NAME} account is suspended`,
    paragraphs: [
      'Our staff suspended your account.',
      `Reason: ${reason}`,
      'Your routers are shut down and your prefixes withdrawn. Disks, addresses and settings are kept, and charges continue.',
      'You can sign in, read everything and pay invoices. Routers, prefixes and the connection can’t be changed or deleted. Paying an invoice does not lift the suspension.',
    ],
    action: { label: 'Sign in', url: `${sender.publicUrl()}/login` },
    after: [`To have it lifted, contact ${supportEmail}.`],
  }))

export const sendSuspensionLifted = (db: Db, sender: Sender, to: Addressee): Promise<void> =>
  send(db, sender, to, ({ supportEmail }) => ({
    subject: `Your ${sender.config.PRODUCT_NAME} account is no longer suspended`,
    paragraphs: [
      'Our staff lifted the suspension of your account.',
      'Routers that ran before start again and your prefixes are announced, unless an unpaid invoice prevents it.',
    ],
    action: { label: 'Sign in', url: `${sender.publicUrl()}/login` },
    after: [`If you have questions, contact ${supportEmail}.`],
  }))
