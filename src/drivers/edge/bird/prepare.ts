import { mkdir } from 'node:fs/promises'
import { NO_GENERATION, renderEmptyEdge } from './render.ts'
import { ConfigSlots } from './slots.ts'

/**
 * Lays down what bird.conf includes, with the policy and no customer, so that BIRD can start before the portal ever
 * spoke to it. A directory that holds a state already keeps it.
 */
export async function prepareBirdDirectory(
  directory: string,
  edge: { localAsn: number; routerId: string },
): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o750 })
  const slots = new ConfigSlots(directory)
  if ((await slots.live()) !== null) return
  await slots.write('a', renderEmptyEdge(edge).files)
  await slots.confirm(NO_GENERATION)
  await slots.activate('a')
}
