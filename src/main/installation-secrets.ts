/** Values that an installation makes for itself once and keeps in its data folder, readable by us alone. */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../platform/config.ts'
import type { SecretKey } from '../platform/secret-key.ts'

type KeySettings = Pick<Config, 'DATA_DIR' | 'SECRET_KEY' | 'SECRET_KEY_PREVIOUS'>

export const createSecretKey = (): string => randomBytes(32).toString('hex')
export const secretKeyFile = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string => path.join(DATA_DIR, 'secret-key')

/** What sessions and stored secrets are bound to: from SECRET_KEY, else made here. One on each line, the current one first. */
export async function readSecretKey(config: KeySettings): Promise<SecretKey> {
  if (config.SECRET_KEY) return [config.SECRET_KEY, ...(config.SECRET_KEY_PREVIOUS ?? [])]
  const file = secretKeyFile(config)
  const [key = '', ...previous] = (await readOrCreate(file, createSecretKey)).split(/\s+/)
  if ([key, ...previous].some((one) => one.length < 32)) {
    throw new Error(`${file} is damaged: delete it, and everybody signs in again.`)
  }
  return [key, ...previous]
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
