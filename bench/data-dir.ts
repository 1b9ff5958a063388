import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { removeInstallation } from '../scripts/uninstall.ts'
import { instanceOf } from '../src/platform/config.ts'

export interface DataDir {
  readonly path: string
  /** The mark in the names of an installation in it. */
  readonly instance: string
  /** Removes it with everything that a stopped product has left on the machine. */
  readonly remove: () => Promise<void>
}

export async function makeDataDir(): Promise<DataDir> {
  const folder = await mkdtemp(path.join(tmpdir(), 'longhaul-bench-'))
  const instance = instanceOf(folder)
  return {
    path: folder,
    instance,
    remove: async () => {
      await removeInstallation({ DATA_DIR: folder, instance })
      // A bench may have put its own files beside it.
      await rm(folder, { recursive: true, force: true })
    },
  }
}
