import { flag, optional, text } from '../command.ts'

export const JSON_FLAG = { json: flag('print what the API answers, for programs') }
export const YES_FLAG = { yes: flag('do not ask') }
/** For scripts that may be repeated: the same key does a thing once. */
export const KEY_OPTION = { key: optional(text('a word of your own (Idempotency-Key): the same word does it once')) }
