import { z } from 'zod'

/** Why staff act on a router. Its owner reads it in their activity. */
export const reason = z
  .string()
  .trim()
  .min(10, 'takes at least 10 characters')
  .max(500, 'takes at most 500 characters')
  .regex(/^[^\p{C}]*$/u, 'may not contain control characters')
