/** The token that the holder of the addresses publishes to prove a request. */
import { createHmac } from 'node:crypto'
import type { TransitWriter } from '../deps.ts'

export interface ChallengeSubject {
  readonly userId: number
  readonly prefix: string
  /** Raised when the addresses change hands: what the former holder left behind says nothing of the next one. */
  readonly round: number
}

/** The same for one account, prefix and round for ever, so that it can be left in place. */
export function challengeToken(
  { secretKey, config }: Pick<TransitWriter, 'secretKey' | 'config'>,
  { userId, prefix, round }: ChallengeSubject,
): string {
  const brand = config.PRODUCT_NAME.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const mac = createHmac('sha256', secretKey).update(`prefix token\0${userId}\0${prefix}\0${round}`).digest()
  return `${brand}-verify=${mac.subarray(0, 15).toString('hex')}`
}
