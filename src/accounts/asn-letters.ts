/** What owners, and staff with them, hear of an ASN whose proof holds no more. Sent whatever else is switched off: traffic stops. */
import { formatAsn } from '../kernel/asn.ts'
import type { Db } from '../platform/db/index.ts'
import { letterhead, type Sender } from './deps.ts'
import { send, type Addressee } from './letters.ts'
import type { AsnDoubt } from './policy.ts'

export interface DoubtedAsn {
  readonly asn: number
  readonly cause: AsnDoubt
  readonly lapsesAt: Date
}

const WHY: Readonly<Record<AsnDoubt, (name: string) => string>> = {
  expired: (name) => `The proof that ${name} is yours has run past its day, and there is no other.`,
  holder_changed: (name) => `The registry names another holder of ${name} than when you proved that it is yours.`,
  unallocated: (name) => `The registry says that nobody holds ${name} any more.`,
}
const RETURN = 'If the registry names you again before that, nothing is left to do.'

export const sendAsnDoubted = (db: Db, sender: Sender, to: Addressee, doubted: DoubtedAsn): Promise<void> =>
  tell(db, sender, to, doubted, (name, day) => `Prove ${name} again by ${day}`)

export const sendAsnReminder = (db: Db, sender: Sender, to: Addressee, doubted: DoubtedAsn): Promise<void> =>
  tell(db, sender, to, doubted, (name, day) => `Last reminder: prove ${name} again by ${day}`)

export async function sendAsnLapsed(db: Db, sender: Sender, to: Addressee, { asn, cause }: DoubtedAsn): Promise<void> {
  const name = formatAsn(asn)
  await send(db, sender, to, {
    subject: `${name} is not verified any more`,
    paragraphs: [
      WHY[cause](name),
      'Your prefixes are suspended and your sessions are closed from now on; your routers go on running.',
      'Prove the number again, and your prefixes return as requests by themselves.',
    ],
    action: proveIt(sender),
  })
  await tellStaff(db, sender, to, `${name} of ${to.email} lapsed`, WHY[cause](name))
}

export const sendAsnSettled = (db: Db, sender: Sender, to: Addressee, asn: number): Promise<void> =>
  send(db, sender, to, {
    subject: `${formatAsn(asn)} stays verified`,
    paragraphs: [`The doubt about ${formatAsn(asn)} is settled: nothing was suspended, and nothing is left to do.`],
    action: { label: 'See what it rests on', url: `${sender.publicUrl()}/awaiting-verification` },
  })

async function tell(
  db: Db,
  sender: Sender,
  to: Addressee,
  { asn, cause, lapsesAt }: DoubtedAsn,
  subject: (name: string, day: string) => string,
): Promise<void> {
  const name = formatAsn(asn)
  const day = lapsesAt.toISOString().slice(0, 10)
  await send(db, sender, to, {
    subject: subject(name, day),
    paragraphs: [
      WHY[cause](name),
      `Until ${day} nothing changes. If it is not proved again by then, your prefixes are suspended and your sessions closed.`,
      ...(cause === 'expired' ? [] : [RETURN]),
    ],
    action: proveIt(sender),
  })
  await tellStaff(db, sender, to, subject(`${name} of ${to.email}`, day), WHY[cause](name))
}

/** In the words that the customer was told, since they will ask about them. */
async function tellStaff(db: Db, sender: Sender, { userId }: Addressee, subject: string, told: string): Promise<void> {
  const { supportEmail } = await letterhead(db, sender)
  await send(
    db,
    sender,
    { email: supportEmail, userId: null },
    {
      subject: `Staff: ${subject}`,
      paragraphs: ['The customer was told:', told],
      action: { label: 'Open the customer', url: `${sender.publicUrl()}/admin/users/${userId}` },
    },
  )
}

const proveIt = (sender: Sender) => ({ label: 'Prove it again', url: `${sender.publicUrl()}/awaiting-verification` })
