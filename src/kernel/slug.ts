import { z } from 'zod'

/** A short name, by which programs, prices and processes know what staff have put into stock: it never changes. */
export const slug = z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be 1 to 40 lowercase letters, digits or hyphens')
