/** The word that its holder writes into the registry's object. */
import { createHmac } from 'node:crypto'
import type { AccountsDeps, Sender } from '../deps.ts'
import { base32 } from '../second-factor/totp.ts'

export interface RemarkSubject {
  readonly userId: number
  readonly asn: number
  /** Raised when the number changes hands: what the former holder left in the object says nothing of the new one. */
  readonly round: number
}

/** The same for one account, number and round for ever, so that it can be left in place. */
export function remarkFor(
  { secretKey, config }: Pick<AccountsDeps, 'secretKey'> & Pick<Sender, 'config'>,
  subject: RemarkSubject,
): string {
  const brand = config.PRODUCT_NAME.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const round = subject.round === 0 ? '' : `\0${subject.round}`
  const mac = createHmac('sha256', secretKey).update(`autnum token\0${subject.userId}\0${subject.asn}${round}`).digest()
  return `${brand}-verify=${base32(mac.subarray(0, 15)).toLowerCase()}`
}
