/** The word that its holder writes into the registry's object. */
import { macsOf } from '../../platform/secret-key.ts'
import type { AccountsDeps, Sender } from '../deps.ts'
import { base32 } from '../second-factor/totp.ts'

export interface RemarkSubject {
  readonly userId: number
  readonly asn: number
  /** Raised when the number changes hands: what the former holder left in the object says nothing of the new one. */
  readonly round: number
}

type RemarkDeps = Pick<AccountsDeps, 'secretKey'> & Pick<Sender, 'config'>

/** The same for one account, number and round under one key, so that it can be left in place. */
export const remarkFor = (deps: RemarkDeps, subject: RemarkSubject): string => remarksFor(deps, subject)[0]!

/** That one, and those that former keys of the installation gave out: they may still be in place. */
export function remarksFor({ secretKey, config }: RemarkDeps, { userId, asn, round }: RemarkSubject): string[] {
  const brand = config.PRODUCT_NAME.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const fields = `${userId}\0${asn}${round === 0 ? '' : `\0${round}`}`
  return macsOf(secretKey, 'autnum token', fields).map(
    (mac) => `${brand}-verify=${base32(mac.subarray(0, 15)).toLowerCase()}`,
  )
}
