/** Values that an installation generates once and keeps in its data folder, readable only by us. */
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { Config } from '../platform/config.ts'
import { readOrCreate } from '../platform/installation.ts'
import type { SecretKey } from '../platform/secret-key.ts'

type KeySettings = Pick<Config, 'DATA_DIR' | 'SECRET_KEY' | 'SECRET_KEY_PREVIOUS'>

export const createSecretKey = (): string => randomBytes(32).toString('hex')
export const secretKeyFile = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string => path.join(DATA_DIR, 'secret-key')

/**
 * Reads the secret keys of sessions and stored secrets from SECRET_KEY, else from a file created here. One key on each
 * line, the current one first.
 */
export async function readSecretKey(config: KeySettings): Promise<SecretKey> {
  if (config.SECRET_KEY) return [config.SECRET_KEY, ...(config.SECRET_KEY_PREVIOUS ?? [])]
  const file = secretKeyFile(config)
  const [key = '', ...previous] = (await readOrCreate(file, createSecretKey)).split(/\s+/)
  if ([key, ...previous].some((one) => one.length < 32)) {
    throw new Error(`${file} is damaged: delete it, and everybody signs in again.`)
  }
  return [key, ...previous]
}
