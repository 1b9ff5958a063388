/**
 * Which passwords are taken: any length from 8 to 200, any characters, no rules of composition (NIST SP 800-63B
 * section 5.1.1.2), but none of those that every guesser tries first.
 */
import { z } from 'zod'
import { foldPassword, isCommonPassword } from './common-passwords.ts'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../policy.ts'

export const passwordSchema = z
  .string()
  .min(PASSWORD_MIN_LENGTH, { error: `takes at least ${PASSWORD_MIN_LENGTH} characters`, abort: true })
  .max(PASSWORD_MAX_LENGTH, { error: `takes at most ${PASSWORD_MAX_LENGTH} characters`, abort: true })
  .refine(
    (password) => !isGuessable(foldPassword(password)),
    'is among the most common passwords or leaked ones: take four or more unrelated words, or one from a password manager',
  )

/** Words of this product, its trade and its vendors, and those that lists of leaked passwords have in each year anew. */
const WORDS = new Set(
  `
  longhaul portal customer operator hostmaster router routers cisco juniper mikrotik network transit peering security
  postgres oracle ubuntu vagrant debian admin administrator root toor guest test welcome changeme default secret
  password passwort thepassword yourpassword contraseña facebook linkedin windows fortnite neymar wang woaini zxcvbnm
  spring summer autumn fall winter january february march april june july august september october november december
  monday tuesday wednesday thursday friday saturday sunday
  `
    .trim()
    .split(/\s+/),
)

const isGuessable = (folded: string): boolean =>
  isCommonPassword(folded) || isOneUnitRepeated(folded) || isDecoratedWord(folded)

/** `aaaaaaaa`, `abcabcabc`, `ciscocisco`: a unit of up to eight characters, over and over. */
const isOneUnitRepeated = (text: string): boolean => /^(.{1,8}?)\1+$/su.test(text)

/** `Summer2026!`, `p@ssw0rd123`: a word of the list with what people append to make it look like none. */
function isDecoratedWord(folded: string): boolean {
  const word = folded.replace(/\P{L}{0,6}$/u, '')
  return WORDS.has(word.replaceAll('@', 'a').replaceAll('0', 'o').replaceAll('$', 's').replaceAll('1', 'i'))
}

/** True for a password that is the address, or what stands before its `@`: the second thing that a guesser tries. */
export function repeatsAddress(password: string, email: string): boolean {
  const folded = password.toLowerCase()
  const address = email.toLowerCase()
  return folded === address || folded === address.slice(0, address.lastIndexOf('@'))
}
