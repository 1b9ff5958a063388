import { mkdir } from 'node:fs/promises'
import { lockDirectory } from '../lock.ts'
import { NO_GENERATION, renderEmptyEdge } from './render.ts'
import { ConfigSlots } from '../slots.ts'

const LOCK_DEADLINE_MS = 60_000

/**
 * Runs before BIRD starts. A new directory gets the policy without customers, because bird.conf cannot be loaded
 * without it. If the last change was never confirmed, because its writer died, the directory gets the previous state
 * back.
 */
export async function prepareBirdDirectory(
  directory: string,
  edge: { localAsn: number; routerId: string },
): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o750 })
  await using _lock = await lockDirectory(directory, LOCK_DEADLINE_MS)
  const slots = new ConfigSlots(directory)
  const live = await slots.live()
  if (live === null) {
    await slots.write('a', renderEmptyEdge(edge).files)
    await slots.confirm('a', NO_GENERATION)
    await slots.activate('a')
    return
  }
  const confirmed = await slots.holding(await slots.confirmed())
  if (confirmed !== null && confirmed !== live) await slots.activate(confirmed)
}
