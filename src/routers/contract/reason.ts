import { z } from 'zod'

/** Of what staff do to a router: its owner reads it in their activity. */
export const reason = z
  .string()
  .trim()
  .min(10, 'takes at least 10 characters')
  .max(500, 'takes at most 500 characters')
  .regex(/^[^\p{C}]*$/u, 'may not contain control characters')
