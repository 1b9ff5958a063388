/**
 * Which passwords are taken: any length from 8 to 200, any characters, no rules of composition (NIST SP 800-63B
 * section 5.1.1.2), but none of those that every guesser tries first.
 */
import { z } from 'zod'
import { COMMON_PASSWORDS } from './common-passwords.ts'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../policy.ts'

export const passwordSchema = z
  .string()
  .min(PASSWORD_MIN_LENGTH, { error: `takes at least ${PASSWORD_MIN_LENGTH} characters`, abort: true })
  .max(PASSWORD_MAX_LENGTH, { error: `takes at most ${PASSWORD_MAX_LENGTH} characters`, abort: true })
  .refine((password) => !isCommon(password), 'is too common; choose another')

function isCommon(password: string): boolean {
  const folded = password.toLowerCase()
  return COMMON_PASSWORDS.has(folded) || isOneUnitRepeated(folded)
}

/** `aaaaaaaa`, `abcabcabc`, `12121212`: a unit of up to four characters, over and over. */
const isOneUnitRepeated = (text: string): boolean => /^(.{1,4}?)\1+$/su.test(text)

/** True for a password that is the address, or what stands before its `@`: the second thing that a guesser tries. */
export function repeatsAddress(password: string, email: string): boolean {
  const folded = password.toLowerCase()
  const address = email.toLowerCase()
  return folded === address || folded === address.slice(0, address.lastIndexOf('@'))
}
