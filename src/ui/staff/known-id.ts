import { notFound } from '@tanstack/react-router'

/** The API's ids are 32-bit; a larger one in an address exists nowhere. */
const MAX_ID = 2_147_483_647

export function knownId(id: number): number {
  if (id > MAX_ID) throw notFound()
  return id
}
