import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../../platform/config.ts'
import { migrate, type Database } from '../../platform/db/index.ts'
import { checkBackup, type CheckedBackup } from '../backup/read.ts'
import { restoreBackup } from '../backup/restore.ts'
import { writeBackup } from '../backup/write.ts'
import { defineCommand, CommandError, flag, text } from '../command.ts'
import { appliedMigrations, requireSchemaLevel, settingsOf, withDatabase } from '../store.ts'

export const backup = defineCommand({
  name: 'backup',
  summary: 'Back up the whole database and the secret key to one file.',
  notes:
    'Safe while the portal runs: the backup is one consistent snapshot. It contains all customer data and, unless\nSECRET_KEY is set, the secret key. Protect it accordingly.',
  args: { file: text('the new file') },
  options: {},
  async run({ file }, terminal) {
    const config = settingsOf(terminal)
    const { tables } = await withDatabase(config, terminal, async ({ db, url }) => {
      await requireSchemaLevel(db)
      return writeBackup({
        url,
        file: path.resolve(file),
        release: config.RELEASE,
        migrations: await appliedMigrations(db),
        secretKey: await readKey(config),
      })
    })
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    terminal.say(`Wrote ${rows} rows of ${tables.length} tables to ${file}.`)
  },
})

export const restore = defineCommand({
  name: 'restore',
  summary: 'Restore a backup into an empty database.',
  notes:
    'Stop the portal first, and use the release that made the backup. The file is verified first; then all of it is\nrestored, or nothing.',
  args: { file: text('the backup file') },
  options: { new: flag('creates the embedded database in DATA_DIR first') },
  async run({ file, new: create }, terminal) {
    const config = settingsOf(terminal)
    const checked = await checkBackup(file)
    const { manifest } = checked
    const work = async ({ db, url }: Database): Promise<void> => {
      if ((await appliedMigrations(db)).length === 0) await migrate(url)
      const here = await appliedMigrations(db)
      if (here.join() !== manifest.migrations.join()) {
        throw new CommandError(
          `The backup is from release ${manifest.release}, which has other tables. Restore it with that release, then upgrade.`,
        )
      }
      // Before the rows: stored second factors without their key could never be read again.
      await placeKey(config, checked)
      await restoreBackup(url, file, manifest)
    }
    await withDatabase(config, terminal, work, { create })
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    terminal.say(`Restored ${rows} rows as they were at ${manifest.takenAt}. Run longhaul audit verify, then start.`)
  },
})

const keyFile = (config: Config): string => path.join(config.DATA_DIR, 'secret-key')

async function readKey(config: Config) {
  if (config.SECRET_KEY) return { from: 'settings', key: config.SECRET_KEY } as const
  const key = await readKeyFile(config)
  return key === null ? null : ({ from: 'file', key } as const)
}

async function readKeyFile(config: Config): Promise<string | null> {
  try {
    return (await readFile(keyFile(config), 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function placeKey(config: Config, { manifest, secretKey }: CheckedBackup): Promise<void> {
  if (!manifest.secretKey) return
  const here = (await readKey(config))?.key
  if (here !== undefined && createHash('sha256').update(here).digest('hex') === manifest.secretKey.sha256) return
  if (config.SECRET_KEY) throw new CommandError('SECRET_KEY differs from that of the backup. Set that one.')
  if (secretKey === null) throw new CommandError('The backup was made with SECRET_KEY set. Set the same one.')
  if (here !== undefined)
    throw new CommandError(`${keyFile(config)} differs from that of the backup. Move it away first.`)
  await mkdir(config.DATA_DIR, { recursive: true })
  await writeFile(keyFile(config), secretKey, { flag: 'wx', mode: 0o600, flush: true })
}
