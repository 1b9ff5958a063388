/**
 * Emails to owners, with a copy to staff, about an ASN whose proof is no longer valid. They cannot be turned off,
 * because traffic stops.
 */
import { formatAsn } from '../../kernel/asn.ts'
import type { Db } from '../../platform/db/index.ts'
import { emailHeader, type Sender } from '../deps.ts'
import { send, type Addressee } from '../emails/emails.ts'
import type { AsnRisk } from '../policy.ts'

export interface AsnAtRisk {
  readonly asn: number
  readonly cause: AsnRisk
  readonly lapsesAt: Date
}

const WHY: Readonly<Record<AsnRisk, (name: string) => string>> = {
  expired: (name) => `Your proof for ${name} has expired, and there is no other.`,
  holder_changed: (name) => `The registered holder of ${name} has changed since you verified it.`,
  unallocated: (name) => `The registry no longer lists ${name} as assigned.`,
}
const RETURN = 'If the registry data is corrected before then, no action is needed.'

export const sendAsnAtRisk = (db: Db, sender: Sender, to: Addressee, atRisk: AsnAtRisk): Promise<void> =>
  emailAtRisk(db, sender, to, atRisk, (name, day) => `Action needed: verify ${name} by ${day}`)

export const sendAsnReminder = (db: Db, sender: Sender, to: Addressee, atRisk: AsnAtRisk): Promise<void> =>
  emailAtRisk(db, sender, to, atRisk, (name, day) => `Final reminder: verify ${name} by ${day}`)

export async function sendAsnLapsed(db: Db, sender: Sender, to: Addressee, { asn, cause }: AsnAtRisk): Promise<void> {
  const name = formatAsn(asn)
  await send(db, sender, to, {
    subject: `${name} is no longer verified`,
    paragraphs: [
      WHY[cause](name),
      'Your prefixes are suspended and your BGP sessions are shut down. Your routers keep running.',
      'Verify the ASN again and your prefixes are resubmitted automatically.',
    ],
    action: verifyAgainAction(sender),
  })
  await emailStaff(db, sender, to, `${name} of ${to.email} is no longer verified`, WHY[cause](name))
}

export const sendAsnStillVerified = (db: Db, sender: Sender, to: Addressee, asn: number): Promise<void> =>
  send(db, sender, to, {
    subject: `${formatAsn(asn)} stays verified`,
    paragraphs: [`The issue with ${formatAsn(asn)} is resolved. Nothing was suspended and no action is needed.`],
    action: { label: 'View proofs', url: `${sender.publicUrl()}/awaiting-verification` },
  })

async function emailAtRisk(
  db: Db,
  sender: Sender,
  to: Addressee,
  { asn, cause, lapsesAt }: AsnAtRisk,
  subject: (name: string, day: string) => string,
): Promise<void> {
  const name = formatAsn(asn)
  const day = lapsesAt.toISOString().slice(0, 10)
  await send(db, sender, to, {
    subject: subject(name, day),
    paragraphs: [
      WHY[cause](name),
      `Nothing changes until ${day}. If the ASN is not verified by then, your prefixes are suspended and your BGP sessions shut down.`,
      ...(cause === 'expired' ? [] : [RETURN]),
    ],
    action: verifyAgainAction(sender),
  })
  await emailStaff(db, sender, to, subject(`${name} of ${to.email}`, day), WHY[cause](name))
}

/** Sends staff the customer's text, because the customer will ask about it. */
async function emailStaff(db: Db, sender: Sender, { userId }: Addressee, subject: string, text: string): Promise<void> {
  const { supportEmail } = await emailHeader(db, sender)
  await send(
    db,
    sender,
    { email: supportEmail, userId: null },
    {
      subject: `Staff: ${subject}`,
      paragraphs: ['The customer received:', text],
      action: { label: 'View customer', url: `${sender.publicUrl()}/admin/users/${userId}` },
    },
  )
}

const verifyAgainAction = (sender: Sender) => ({
  label: 'Verify ASN',
  url: `${sender.publicUrl()}/awaiting-verification`,
})
