/** The token that the holder of the addresses publishes to prove a request. */
import type { AccountId } from '../../kernel/ids.ts'
import { macsOf } from '../../platform/secret-key.ts'
import type { TransitWriter } from '../deps.ts'

export interface ChallengeSubject {
  readonly accountId: AccountId
  readonly prefix: string
  /** Incremented when the addresses change hands, so that a former holder's token does not count for the next holder. */
  readonly round: number
}

type Keys = Pick<TransitWriter, 'secretKey' | 'config'>

/** The token stays the same for one account, prefix and round, so it can be left in place. */
export const challengeToken = (keys: Keys, subject: ChallengeSubject): string => knownTokens(keys, subject)[0]!

/** All tokens that count in the registry: the current one, and those under earlier keys. */
export function knownTokens({ secretKey, config }: Keys, { accountId, prefix, round }: ChallengeSubject): string[] {
  const brand = brandOf(config)
  return macsOf(secretKey, 'prefix token', `${accountId}\0${prefix}\0${round}`).map(
    (mac) => `${brand}-verify=${mac.subarray(0, 15).toString('hex')}`,
  )
}

/** The label before each reverse zone: a name that no address has, unique to this product. */
export const challengeLabel = ({ config }: Pick<Keys, 'config'>): string =>
  `_${brandOf(config)
    .slice(0, 40)
    .replaceAll(/^-+|-+$/g, '')}-challenge`

const brandOf = ({ PRODUCT_NAME }: Keys['config']): string => PRODUCT_NAME.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
