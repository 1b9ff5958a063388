import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { EdgeError } from '../index.ts'
import { lockDirectory } from '../lock.ts'
import { ConfigSlots } from '../slots.ts'
import { filesOf, NO_GENERATION, renderEmptyEdge } from './render.ts'
import { endPending, listPending } from './pending.ts'

const run = promisify(execFile)
const LOCK_DEADLINE_MS = 60_000

/**
 * Runs before bgpd starts. A new directory gets the policy without customers, because bgpd.conf cannot be loaded
 * without it. If the last change was never confirmed, because its writer and the watchdog died, the directory gets the
 * previous state back.
 */
export async function prepareOpenbgpdDirectory(
  directory: string,
  edge: { localAsn: number; routerId: string },
): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o750 })
  await using _lock = await lockDirectory(directory, LOCK_DEADLINE_MS)
  const slots = new ConfigSlots(directory)
  const live = await slots.live()
  if (live === null) {
    const version = await installedVersion()
    await slots.write('a', filesOf(renderEmptyEdge(edge), { directory, slot: 'a', version }))
    await slots.confirm('a', NO_GENERATION)
    await slots.activate('a')
    return
  }
  for (const pending of await listPending(directory)) await endPending(directory, pending, 'undone')
  const confirmed = await slots.holding(await slots.confirmed())
  if (confirmed !== null && confirmed !== live) await slots.activate(confirmed)
}

/** Returns `OpenBGPD 7.7`, for example: versions of bgpd differ in syntax. */
export async function installedVersion(): Promise<string> {
  const { stdout, stderr } = await run('bgpd', ['-V'], { timeout: 10_000 }).catch((error: unknown) => {
    throw new EdgeError('refused', 'bgpd does not say its version: is OpenBGPD installed on this machine?', {
      cause: error,
    })
  })
  return (stdout || stderr).trim().slice(0, 100)
}
