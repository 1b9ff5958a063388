import { notFound } from '@tanstack/react-router'

/** Ids are 32-bit in the API; a larger one in an address names nothing. */
const MAX_ID = 2_147_483_647

export function knownId(id: number): number {
  if (id > MAX_ID) throw notFound()
  return id
}
