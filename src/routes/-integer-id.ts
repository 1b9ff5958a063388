import { notFound } from '@tanstack/react-router'

/** An id in a path is a positive integer; anything else matches nothing. */
export const integerId = {
  parse: ({ id }: { id: string }): { id: number } => {
    const parsed = /^[1-9]\d{0,15}$/.test(id) ? Number(id) : Number.NaN
    if (!Number.isSafeInteger(parsed)) throw notFound()
    return { id: parsed }
  },
  stringify: ({ id }: { id: number }): { id: string } => ({ id: String(id) }),
}
