/** A separate PostgreSQL with the product's schema, for one bench. */
import { startEmbedded } from '../src/platform/db/embedded.ts'
import { migrate, openDatabase, type Db } from '../src/platform/db/index.ts'
import type { Stage } from './bench.ts'
import { makeDataDir } from './data-dir.ts'

export interface OwnDatabase {
  readonly db: Db
  readonly url: string
  /** The URL of the server, as its superuser. */
  readonly adminUrl: string
}

/** It is removed with the stage that runs on it, also when that fails. */
export async function onOwnDatabase(
  putUp: (database: OwnDatabase) => Promise<Pick<Stage, 'comparisons'> & Partial<Stage>>,
): Promise<Stage> {
  const folder = await makeDataDir()
  const undo = [folder.remove]
  const end = async (): Promise<void> => {
    for (const step of undo.splice(0).toReversed()) await step()
  }
  try {
    const { url, adminUrl, stop } = await startEmbedded({ dataDir: folder.path })
    undo.push(stop)
    await migrate(url)
    const { db, close } = openDatabase({ url, statementTimeoutMs: 0 })
    undo.push(close)
    const stage = await putUp({ db, url, adminUrl })
    if (stage.close) undo.push(stage.close)
    return { comparisons: stage.comparisons, close: end }
  } catch (error) {
    await end()
    throw error
  }
}
