/** Writes a backup: every table as of one moment, while the portal keeps running. */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { link, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { pack } from 'tar-stream'
import { CommandError } from '../command.ts'
import { MANIFEST, chunkName, SECRET_KEY, type Manifest } from './manifest.ts'
import { columnList, quoted, readTables, SAME_TEXT, type Table } from './tables.ts'

export interface Backup {
  readonly url: string
  readonly file: string
  readonly release: string
  readonly migrations: readonly string[]
  readonly secretKey: { readonly from: 'file' | 'settings'; readonly key: string } | null
}

/** The file appears only when it is complete. Throws {@link CommandError} when one exists already. */
export async function writeBackup(backup: Backup): Promise<Manifest> {
  const unfinished = `${backup.file}.${process.pid}.unfinished`
  const client = new pg.Client({ connectionString: backup.url, application_name: 'longhaul backup' })
  await client.connect()
  try {
    const archive = openArchive(unfinished, new Date())
    const manifest = await writeAll(client, backup, archive.add).catch((error: unknown) => archive.abandon(error))
    await archive.end()
    await publishFile(unfinished, backup.file)
    return manifest
  } finally {
    await client.end()
    await rm(unfinished, { force: true })
  }
}

type Add = (name: string, content: Buffer) => Promise<void>

async function writeAll(client: pg.Client, backup: Backup, add: Add): Promise<Manifest> {
  const takenAt = new Date().toISOString()
  await client.query(SAME_TEXT)
  await client.query('begin isolation level repeatable read, read only')
  const tables: Manifest['tables'] = []
  for (const table of await readTables(client)) tables.push(await writeTable(client, table, add))
  // Read last: a sequence is outside the snapshot, and may only be ahead of the tables.
  const { rows: sequences } = await client.query<Manifest['sequences'][number]>(
    `select sequencename as name, last_value::text as "lastValue" from pg_sequences where schemaname = 'public' order by 1`,
  )
  await client.query('commit')
  const { secretKey: secret } = backup
  if (secret?.from === 'file') await add(SECRET_KEY, Buffer.from(secret.key))
  const manifest: Manifest = {
    format: 1,
    release: backup.release,
    takenAt,
    migrations: [...backup.migrations],
    tables,
    sequences,
    secretKey: secret && { from: secret.from, sha256: createHash('sha256').update(secret.key).digest('hex') },
  }
  await add(MANIFEST, Buffer.from(JSON.stringify(manifest, null, 2)))
  return manifest
}

/** About this much of a table is in memory at once; a table may be larger than memory. */
const CHUNK_BYTES = 1 << 20

async function writeTable(client: pg.Client, table: Table, add: Add): Promise<Manifest['tables'][number]> {
  const hash = createHash('sha256')
  let chunks = 0
  let held: Buffer[] = []
  let size = 0
  const put = async (): Promise<void> => {
    const chunk = Buffer.concat(held)
    held = []
    size = 0
    hash.update(chunk)
    chunks += 1
    await add(chunkName(table.name, chunks), chunk)
  }
  const rows = client.query(copyTo(`copy (select ${columnList(table)} from ${quoted(table.name)}) to stdout`))
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    held.push(chunk)
    size += chunk.length
    if (size >= CHUNK_BYTES) await put()
  }
  if (size > 0) await put()
  return { name: table.name, columns: [...table.columns], rows: rows.rowCount, sha256: hash.digest('hex') }
}

function openArchive(file: string, modified: Date) {
  const archive = pack()
  // Readable by us alone, because it holds all of the portal's data. Flushed to disk before it counts.
  const written = pipeline(archive, createGzip(), createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }))
  written.catch(() => undefined)
  const put = (name: string, content: Buffer): Promise<void> =>
    new Promise((resolve, reject) => {
      archive
        .entry({ name, mode: 0o600, mtime: modified }, content, (error) => (error ? reject(error) : resolve()))
        // The archive destroys its open entry with its own error, which no other code handles.
        .on('error', reject)
    })
  return {
    // A file that cannot be written reports why first, and the archive would never call back.
    add: (name: string, content: Buffer): Promise<void> => Promise.race([written, put(name, content)]),
    end: async (): Promise<void> => {
      archive.finalize()
      await written
    },
    abandon: async (error: unknown): Promise<never> => {
      archive.destroy()
      await written.catch(() => undefined)
      throw error
    },
  }
}

/** A link, unlike a rename, never replaces a file that another process made in the meantime. */
async function publishFile(unfinished: string, file: string): Promise<void> {
  try {
    await link(unfinished, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new CommandError(`${file} is there already: name another file.`)
  }
}
