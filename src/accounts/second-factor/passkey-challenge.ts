/**
 * Challenges for passkeys. Each is derived from the installation's key for one purpose and five minutes, so creating
 * one stores no row. Spending one does, so that no response counts twice.
 */
import { isOneOf, macOf, macsOf, type SecretKey } from '../../platform/secret-key.ts'
import { randomBytes } from 'node:crypto'
import type { Db } from '../../platform/db/index.ts'
import '../tables.ts'
import { digestOf } from '../tokens.ts'

const MAC_PURPOSE = 'passkey challenge'
const VALID_MS = 5 * 60_000
const NONCE_BYTES = 16
const EXPIRY_BYTES = 6

/** What the response may be used for: `sign-in`, or `confirm 7` and `register 7` for user 7 only. */
export type ChallengePurpose = 'sign-in' | `confirm ${number}` | `register ${number}`

export function createChallenge(secretKey: SecretKey, purpose: ChallengePurpose, now: Date): Buffer {
  const head = Buffer.alloc(NONCE_BYTES + EXPIRY_BYTES)
  randomBytes(NONCE_BYTES).copy(head)
  head.writeUIntBE(now.getTime() + VALID_MS, NONCE_BYTES, EXPIRY_BYTES)
  return Buffer.concat([head, macOf(secretKey, MAC_PURPOSE, `${purpose}\0`, head)])
}

/** Returns true if this server created the challenge recently, for this purpose. */
export function isChallenge(secretKey: SecretKey, purpose: ChallengePurpose, text: string, now: Date): boolean {
  const challenge = Buffer.from(text, 'base64url')
  const head = challenge.subarray(0, NONCE_BYTES + EXPIRY_BYTES)
  const mac = challenge.subarray(head.length)
  if (!isOneOf(mac, macsOf(secretKey, MAC_PURPOSE, `${purpose}\0`, head))) return false
  return head.readUIntBE(NONCE_BYTES, EXPIRY_BYTES) > now.getTime()
}

/** Returns false if the challenge was already spent. */
export async function spendChallenge(db: Db, text: string, now: Date): Promise<boolean> {
  const spent = await db
    .insertInto('spent_challenges')
    .values({ digest: digestOf(text), expires_at: new Date(now.getTime() + VALID_MS) })
    .onConflict((again) => again.doNothing())
    .returning('digest')
    .executeTakeFirst()
  return spent !== undefined
}
