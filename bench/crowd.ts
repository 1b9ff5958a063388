/** A database of its own with BENCH_ROWS users, prefixes and events in it. */
import { addCrowd } from '../src/admin/testing-crowd.ts'
import { startEmbedded } from '../src/platform/db/embedded.ts'
import { migrate, openDatabase } from '../src/platform/db/index.ts'
import { makeDataDir } from './data-dir.ts'

const ROWS = Number(process.env['BENCH_ROWS'] ?? 100_000)

export async function openCrowd(): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const folder = await makeDataDir()
  const server = await startEmbedded({ dataDir: folder.path })
  const close = async (): Promise<void> => {
    await server.stop()
    await folder.remove()
  }
  try {
    await migrate(server.url)
    const { db, close: disconnect } = openDatabase({ url: server.url, statementTimeoutMs: 0 })
    await addCrowd(db, ROWS)
    await disconnect()
    return { url: server.url, close }
  } catch (error) {
    await close()
    throw error
  }
}
