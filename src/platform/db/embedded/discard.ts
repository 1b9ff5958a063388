/** Stops and deletes an embedded database, wherever its files are. */
import { readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { exclusively, join } from '../../process-lock.ts'
import { EmbeddedFailure } from './failure.ts'
import { locate } from './location.ts'
import { shutDown } from './postmaster.ts'

/** Returns whether a process uses the database of this DATA_DIR. */
export async function isInUse(dataDir: string): Promise<boolean> {
  if (!(await exists(path.join(dataDir, 'database.lock')))) return false
  return exclusively(path.join(dataDir, 'database.lock'), async () => {
    const members = await join(path.join(dataDir, 'database.users'))
    return !members.leave()
  })
}

/** Stops the server of a database that no process uses any more: the last one was killed and could not stop it. */
export async function stopUnusedDatabase(dataDir: string): Promise<void> {
  if (!(await hasDatabase(dataDir))) return
  await exclusively(path.join(dataDir, 'database.lock'), async () => {
    const members = await join(path.join(dataDir, 'database.users'))
    if (!members.leave()) return
    const { cluster } = await locate(dataDir)
    await shutDown(cluster)
  })
}

/** Stops the server and deletes every file of the database. Throws {@link EmbeddedFailure} while a process uses it. */
export async function discardDatabase(dataDir: string): Promise<void> {
  if (await isInUse(dataDir)) throw new EmbeddedFailure(`A Longhaul runs in ${dataDir}. Stop it first.`)
  if (!(await hasDatabase(dataDir))) return
  const { cluster, folder } = await locate(dataDir)
  await shutDown(cluster)
  await rm(folder, { recursive: true, force: true })
}

/** Checked first, because locating a database that never existed would create its folder. */
const hasDatabase = async (dataDir: string): Promise<boolean> =>
  (await readFile(path.join(dataDir, 'database.location'), 'utf8').catch(() => '')) !== '' ||
  (await exists(path.join(dataDir, 'database', 'cluster')))

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  )
