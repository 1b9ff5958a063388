import { open, rename } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../../platform/config.ts'
import { ensureDataDir } from '../../platform/data-dir.ts'
import { currentKey, knownKeys } from '../../platform/secret-key.ts'
import { createSecretKey, readSecretKey, secretKeyFile } from '../../main/installation-secrets.ts'
import { CommandError, defineCommand, type Terminal } from '../command.ts'
import { reseal } from '../keys/reseal.ts'
import { settingsOf, withTables } from '../store.ts'

const createKey = defineCommand({
  name: 'keys new',
  summary: 'Make a new secret key; the one so far still opens what was sealed under it.',
  notes:
    'Writes DATA_DIR/secret-key, or, where SECRET_KEY is set, prints what to set. Restart every process afterwards, then run\nkeys rotate.',
  args: {},
  options: {},
  async run(_, terminal) {
    const config = settingsOf(terminal)
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
  summary: 'Seal everything that is stored under the current secret key.',
  notes:
    'The portal may run meanwhile, with the current key. It may be stopped and repeated. Sessions and API tokens move to the\ncurrent key when they are used.',
  args: {},
  options: {},
  async run(_, terminal) {
    const { renewed, current, unreadable } = await resealAll(terminal, true)
    for (const one of unreadable) terminal.say(`Sealed under none of the keys: ${one}`)
    terminal.say(`Sealed ${renewed} values anew; ${current} were under the current key already.`)
    return unreadable.length > 0 ? 1 : 0
  },
})

const forgetKeys = defineCommand({
  name: 'keys forget',
  summary: 'Forget the former secret keys; refused while something is sealed under one of them.',
  notes:
    'Sessions and API tokens that were not used since the change end. Remarks in registry objects that a former key gave out no\nlonger renew a proof.',
  args: {},
  options: {},
  async run(_, terminal) {
    const config = settingsOf(terminal)
    const { renewed, unreadable } = await resealAll(terminal, false)
    if (renewed > 0)
      throw new CommandError(`${renewed} values are sealed under a former key: run longhaul keys rotate first.`)
    if (unreadable.length > 0) throw new CommandError(`Sealed under none of the keys: ${unreadable.join(', ')}.`)
    if (config.SECRET_KEY) {
      terminal.say('Nothing is sealed under a former key. Remove SECRET_KEY_PREVIOUS and restart every process.')
      return
    }
    await writeKeys(config, [currentKey(await readSecretKey(config))])
    terminal.say(`Wrote ${secretKeyFile(config)}. Restart every process.`)
  },
})

export const KEY_COMMANDS = [createKey, rotateKeys, forgetKeys]

async function resealAll(terminal: Terminal, write: boolean) {
  const config = settingsOf(terminal)
  const secretKey = await readSecretKey(config)
  return withTables(config, terminal, (db) => reseal(db, secretKey, { write }))
}

/** Whole or not at all: a half-written key would open nothing. */
async function writeKeys(config: Config, keys: readonly string[]): Promise<void> {
  const file = secretKeyFile(config)
  const beside = path.join(path.dirname(file), `.${path.basename(file)}.new`)
  const handle = await open(beside, 'w', 0o600)
  await handle.writeFile(keys.join('\n'))
  await handle.sync()
  await handle.close()
  await rename(beside, file)
}
