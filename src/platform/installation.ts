/** Files that an installation creates once and keeps, readable only by us. */
import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import path from 'node:path'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Returns the identity of this installation. The machines of a hypervisor belong to one installation. */
export async function readInstallation(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'installation')
  const installation = await readOrCreate(file, randomUUID)
  if (!UUID.test(installation)) throw new Error(`${file} is damaged: put back what it held, one UUID.`)
  return installation
}

export async function readOrCreate(file: string, make: () => string): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true })
  try {
    // Exclusive: of two processes that start at once, one creates it and the other reads it.
    const handle = await open(file, 'wx', 0o600)
    await handle.writeFile(make())
    await handle.sync()
    await handle.close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return (await readFile(file, 'utf8')).trim()
}
