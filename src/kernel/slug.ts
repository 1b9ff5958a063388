import { z } from 'zod'

/** A short name that staff give to inventory. It never changes, because programs, prices and processes refer to it. */
export const slug = z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be 1 to 40 lowercase letters, digits or hyphens')
