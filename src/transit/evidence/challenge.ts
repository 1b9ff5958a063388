/** The token that the holder of the addresses publishes to prove a request. */
import { macsOf } from '../../platform/secret-key.ts'
import type { TransitWriter } from '../deps.ts'

export interface ChallengeSubject {
  readonly userId: number
  readonly prefix: string
  /** Raised when the addresses change hands: what the former holder left behind says nothing of the next one. */
  readonly round: number
}

type Keys = Pick<TransitWriter, 'secretKey' | 'config'>

/** The same for one account, prefix and round, so that it can be left in place. */
export const challengeToken = (keys: Keys, subject: ChallengeSubject): string => knownTokens(keys, subject)[0]!

/** What may stand in the registry: the token, and what it was under the keys before this one. */
export function knownTokens({ secretKey, config }: Keys, { userId, prefix, round }: ChallengeSubject): string[] {
  const brand = brandOf(config)
  return macsOf(secretKey, 'prefix token', `${userId}\0${prefix}\0${round}`).map(
    (mac) => `${brand}-verify=${mac.subarray(0, 15).toString('hex')}`,
  )
}

/** In front of each reverse zone: a name that no address has, and of this product alone. */
export const challengeLabel = ({ config }: Pick<Keys, 'config'>): string =>
  `_${brandOf(config)
    .slice(0, 40)
    .replaceAll(/^-+|-+$/g, '')}-challenge`

const brandOf = ({ PRODUCT_NAME }: Keys['config']): string => PRODUCT_NAME.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
