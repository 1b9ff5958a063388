/** Password hashing with argon2id, with a limit on concurrent hashing so that the machine is not overloaded. */
import { macOf, type SecretKey } from '../platform/secret-key.ts'
import { hash, verify } from '@node-rs/argon2'
import { randomBytes } from 'node:crypto'
import { unavailable } from '../kernel/problem.ts'

/** OWASP Password Storage: argon2id with 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/**
 * About two seconds of work. Beyond it, rejecting requests is better than making every user wait behind a flood of
 * guesses.
 */
const MAX_UNDER_WAY = 128
let underWay = 0

export const hashPassword = (password: string, salt?: Buffer): Promise<string> =>
  bounded(() => hash(normalise(password), salt ? { ...COST, salt } : COST))

/**
 * Returns the same hash for the same password and address, so two sign-ups can be compared without knowing either
 * password. A known address takes no longer than an unknown one. The salt differs by address and cannot be guessed.
 */
export const hashForSignUp = (secretKey: SecretKey, email: string, password: string): Promise<string> =>
  hashPassword(password, macOf(secretKey, 'sign-up salt', email).subarray(0, 16))

let decoy: Promise<string> | undefined

/**
 * Returns true if the password matches the hash. Without a hash (no such account) it returns false in the same time,
 * so that timing reveals nothing.
 */
export function isPassword(stored: string | null, presented: string): Promise<boolean> {
  return bounded(async () => {
    const decoyHash = await (decoy ??= hash(randomBytes(32), COST))
    const matches = await verify(stored ?? decoyHash, normalise(presented))
    return matches && stored !== null
  })
}

/** The same password typed on two keyboards may be two sequences of code points (NIST SP 800-63B section 5.1.1.2). */
const normalise = (password: string): string => password.normalize('NFKC')

async function bounded<T>(work: () => Promise<T>): Promise<T> {
  if (underWay >= MAX_UNDER_WAY) throw unavailable('Too many people sign in at this moment: try again.', 2)
  underWay++
  try {
    return await work()
  } finally {
    underWay--
  }
}
