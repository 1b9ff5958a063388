import { access, constants, mkdir } from 'node:fs/promises'
import { ConfigError } from './config.ts'

/** Creates the data folder. Throws {@link ConfigError} if that is not possible. */
export async function ensureDataDir(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(
      `DATA_DIR: got ${JSON.stringify(folder)}, takes a folder that can be made and written (${code})`,
    )
  }
}
