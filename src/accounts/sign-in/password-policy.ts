/**
 * Accepts passwords of 8 to 200 characters, with any characters and no composition rules (NIST SP 800-63B section
 * 5.1.1.2). It rejects those that every guesser tries first.
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

/** Words of this product, its industry and its vendors, and words that appear in every list of leaked passwords. */
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

/** `aaaaaaaa`, `abcabcabc`, `ciscocisco`: one unit of up to eight characters, repeated. */
const isOneUnitRepeated = (text: string): boolean => /^(.{1,8}?)\1+$/su.test(text)

/** `Summer2026!`, `p@ssw0rd123`: a listed word with the usual additions and substitutions. */
function isDecoratedWord(folded: string): boolean {
  const word = folded.replace(/\P{L}{0,6}$/u, '')
  return WORDS.has(word.replaceAll('@', 'a').replaceAll('0', 'o').replaceAll('$', 's').replaceAll('1', 'i'))
}

/** Returns true if the password is the address or the part before its `@`, which guessers try next. */
export function repeatsAddress(password: string, email: string): boolean {
  const folded = password.toLowerCase()
  const address = email.toLowerCase()
  return folded === address || folded === address.slice(0, address.lastIndexOf('@'))
}
