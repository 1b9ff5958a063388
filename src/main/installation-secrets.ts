/** Values that an installation makes for itself once and keeps in its data folder, readable by us alone. */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import path from 'node:path'

/** What sessions and stored secrets are bound to: from SECRET_KEY, else made here. */
export async function readSecretKey(dataDir: string, configured: string | undefined): Promise<string> {
  if (configured) return configured
  const file = path.join(dataDir, 'secret-key')
  const key = await readOrCreate(file, () => randomBytes(32).toString('hex'))
  if (key.length < 32) throw new Error(`${file} is damaged: delete it, and everybody signs in again.`)
  return key
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Which installation this is: the machines of a hypervisor are those of one. */
export async function readInstallation(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'installation')
  const installation = await readOrCreate(file, randomUUID)
  if (!UUID.test(installation)) throw new Error(`${file} is damaged: put back what it held, one UUID.`)
  return installation
}

async function readOrCreate(file: string, make: () => string): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true })
  try {
    // Exclusive: of two processes that start at once, one makes it and the other reads it.
    const handle = await open(file, 'wx', 0o600)
    await handle.writeFile(make())
    await handle.sync()
    await handle.close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return (await readFile(file, 'utf8')).trim()
}
