/** The installation's own secret: from SECRET_KEY, else made once and kept in the data folder, readable by us alone. */
import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import path from 'node:path'

export async function readSecretKey(dataDir: string, configured: string | undefined): Promise<string> {
  if (configured) return configured
  await mkdir(dataDir, { recursive: true })
  const file = path.join(dataDir, 'secret-key')
  try {
    // Exclusive: of two processes that start at once, one makes it and the other reads it.
    const handle = await open(file, 'wx', 0o600)
    await handle.writeFile(randomBytes(32).toString('hex'))
    await handle.sync()
    await handle.close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const key = (await readFile(file, 'utf8')).trim()
  if (key.length < 32) throw new Error(`${file} is damaged: delete it, and everybody signs in again.`)
  return key
}
