/** Time-based one-time passwords (RFC 6238) with the defaults of authenticator apps: SHA-1, six digits, 30 seconds. */
import { HOTP, Secret, TOTP } from 'otpauth'

/** The encryption purpose of app secrets. */
export const TOTP_PURPOSE = 'totp'

/** One step either way, for clocks that differ (RFC 6238 section 5.2). */
const WINDOW_STEPS = 1

export const stepAt = (now: Date): number => TOTP.counter({ timestamp: now.getTime() })

export const codeAt = (secret: Buffer, step: number): string =>
  HOTP.generate({ secret: secretOf(secret), counter: step })

/** Returns true for six digits, which no recovery code has. */
export const isAppCode = (code: string): boolean => /^\d{6}$/.test(code.replaceAll(/\s/g, ''))

/** Returns the time step of this code, or null. The caller checks that the step was not used before. */
export function matchingStep(secret: Buffer, code: string, now: Date): number | null {
  if (!isAppCode(code)) return null
  const token = code.replaceAll(/\s/g, '')
  const counter = stepAt(now)
  const delta = HOTP.validate({ token, secret: secretOf(secret), counter, window: WINDOW_STEPS })
  return delta === null ? null : counter + delta
}

/** Base32 without padding (RFC 4648 section 6), the form in which apps accept a secret. */
export const base32 = (bytes: Buffer): string => secretOf(bytes).base32

export const otpauthUri = (issuer: string, account: string, secret: Buffer): string =>
  new TOTP({ issuer, label: account, secret: secretOf(secret) }).toString()

/** A copy, because a small Buffer shares its ArrayBuffer with others. */
const secretOf = (bytes: Buffer): Secret => new Secret({ buffer: Uint8Array.from(bytes).buffer })
