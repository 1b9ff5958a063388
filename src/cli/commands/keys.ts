import { open, rename } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../../platform/config.ts'
import { ensureDataDir } from '../../platform/data-dir.ts'
import { currentKey, knownKeys } from '../../platform/secret-key.ts'
import { createSecretKey, readSecretKey, secretKeyFile } from '../../main/installation-secrets.ts'
import { CommandError, defineCommand, type Terminal } from '../command.ts'
import { reseal } from '../keys/reseal.ts'
import { requireInstallation, settingsOf, withTables } from '../store.ts'

const createKey = defineCommand({
  name: 'keys new',
  summary: 'Create a new secret key. The previous key still decrypts existing data.',
  notes:
    'Writes DATA_DIR/secret-key or, if SECRET_KEY is set, prints the new settings. Restart every process, then run\nkeys rotate.',
  args: {},
  options: {},
  async run(_, terminal) {
    const config = settingsOf(terminal)
    await requireInstallation(config)
    await ensureDataDir(config.DATA_DIR)
    const known = knownKeys(await readSecretKey(config))
    const key = createSecretKey()
    if (config.SECRET_KEY) {
      terminal.say(`SECRET_KEY=${key}`)
      terminal.say(`SECRET_KEY_PREVIOUS=${known.join(',')}`)
      terminal.warn('Set both for every process, restart them all, then run longhaul keys rotate.')
      return
    }
    await writeKeys(config, [key, ...known])
    terminal.say(`Wrote ${secretKeyFile(config)}. Restart every process, then run longhaul keys rotate.`)
  },
})

const rotateKeys = defineCommand({
  name: 'keys rotate',
  summary: 'Re-encrypt all stored secrets with the current secret key.',
  notes:
    'Safe while the portal runs with the current key, and safe to repeat. Sessions and API tokens move to the current key\nwhen they are used.',
  args: {},
  options: {},
  async run(_, terminal) {
    const { renewed, current, unreadable } = await resealAll(terminal, true)
    for (const one of unreadable) terminal.say(`Encrypted with an unknown key: ${one}`)
    terminal.say(`Re-encrypted ${renewed} values; ${current} already used the current key.`)
    return unreadable.length > 0 ? 1 : 0
  },
})

const forgetKeys = defineCommand({
  name: 'keys forget',
  summary: 'Remove the previous secret keys; refused while data is encrypted with one of them.',
  notes:
    'Sessions and API tokens not used since the change end. Registry remarks issued with a previous key no longer renew\na verification.',
  args: {},
  options: {},
  async run(_, terminal) {
    const config = settingsOf(terminal)
    const { renewed, unreadable } = await resealAll(terminal, false)
    if (renewed > 0)
      throw new CommandError(`${renewed} values are encrypted with a previous key. Run longhaul keys rotate first.`)
    if (unreadable.length > 0) throw new CommandError(`Encrypted with an unknown key: ${unreadable.join(', ')}.`)
    if (config.SECRET_KEY) {
      terminal.say('No data uses a previous key. Remove SECRET_KEY_PREVIOUS and restart every process.')
      return
    }
    await writeKeys(config, [currentKey(await readSecretKey(config))])
    terminal.say(`Wrote ${secretKeyFile(config)}. Restart every process.`)
  },
})

export const KEY_COMMANDS = [createKey, rotateKeys, forgetKeys]

async function resealAll(terminal: Terminal, write: boolean) {
  const config = settingsOf(terminal)
  return withTables(config, terminal, async (db) => reseal(db, await readSecretKey(config), { write }))
}

/** Writes atomically: a partly written key would decrypt nothing. */
async function writeKeys(config: Config, keys: readonly string[]): Promise<void> {
  const file = secretKeyFile(config)
  const beside = path.join(path.dirname(file), `.${path.basename(file)}.new`)
  const handle = await open(beside, 'w', 0o600)
  await handle.writeFile(keys.join('\n'))
  await handle.sync()
  await handle.close()
  await rename(beside, file)
}
