/** The remark that the holder of an ASN writes into its registry object. */
import type { AccountId } from '../../kernel/ids.ts'
import { macsOf } from '../../platform/secret-key.ts'
import type { AccountsDeps, Sender } from '../deps.ts'
import { base32 } from '../second-factor/totp.ts'

export interface RemarkSubject {
  readonly accountId: AccountId
  readonly asn: number
  /**
   * Incremented when the ASN changes hands, because a remark left by the former holder proves nothing about the new
   * one.
   */
  readonly round: number
}

type RemarkDeps = Pick<AccountsDeps, 'secretKey'> & Pick<Sender, 'config'>

/** Returns the remark. It is the same for one account, ASN and round under one key, so it can be left in place. */
export const remarkFor = (deps: RemarkDeps, subject: RemarkSubject): string => remarksFor(deps, subject)[0]!

/** Returns the current remark and those made with the installation's former keys, which may still be in place. */
export function remarksFor({ secretKey, config }: RemarkDeps, { accountId, asn, round }: RemarkSubject): string[] {
  const brand = config.PRODUCT_NAME.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const fields = `${accountId}\0${asn}${round === 0 ? '' : `\0${round}`}`
  return macsOf(secretKey, 'autnum token', fields).map(
    (mac) => `${brand}-verify=${base32(mac.subarray(0, 15)).toLowerCase()}`,
  )
}
