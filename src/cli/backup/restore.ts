/** Restores a backup into an empty database, all of it or nothing. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { CommandError } from '../command.ts'
import type { Manifest } from './manifest.ts'
import { readTableStreams } from './read.ts'
import { columnList, quoted, readTables, SAME_TEXT, type Table } from './tables.ts'

/** A portal that has been used has rows in one of these; other tables may hold rows of migrations and idle workers. */
const PROOF_OF_USE = ['users', 'audit_events', 'sites', 'plans']

/** The database is at the manifest's migration. Throws {@link CommandError} when it is not empty. */
export async function restoreBackup(url: string, file: string, manifest: Manifest): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'longhaul restore' })
  await client.connect()
  try {
    await client.query(SAME_TEXT)
    await client.query('begin')
    const tables = await readTables(client)
    requireSameTables(tables, manifest)
    // Also keeps a running portal from writing in between.
    await client.query(`lock table ${tables.map(({ name }) => quoted(name)).join(', ')} in access exclusive mode`)
    await requireEmpty(client)
    await withoutTriggers(client, tables, () => fill(client, file, manifest))
    // Leases and agents describe the moment, and whose disks they hold: whatever drives now finds none of them.
    await client.query('delete from leases')
    await client.query('delete from hypervisor_agents')
    await client.query('delete from transit_edge_agents')
    for (const { name, lastValue } of manifest.sequences) {
      if (lastValue !== null) await client.query('select setval($1::regclass, $2, true)', [quoted(name), lastValue])
    }
    await client.query('commit')
  } finally {
    // Rolls back what was not committed.
    await client.end()
  }
}

async function fill(client: pg.Client, file: string, manifest: Manifest): Promise<void> {
  // Tables that refer to others come first.
  for (const { name } of manifest.tables.toReversed()) await client.query(`delete from ${quoted(name)}`)
  const filled = new Map<string, number>()
  for await (const { table: name, chunks } of readTableStreams(file)) {
    const table = manifest.tables.find((one) => one.name === name)
    if (!table) throw new CommandError(`${file} has changed while it was read.`)
    const rows = client.query(copyFrom(`copy ${quoted(name)} (${columnList(table)}) from stdin`))
    await pipeline(Readable.from(chunks), rows)
    filled.set(name, rows.rowCount)
  }
  for (const { name, rows } of manifest.tables) {
    if ((filled.get(name) ?? 0) !== rows)
      throw new CommandError(`${name} had ${rows} rows and got ${filled.get(name) ?? 0}.`)
  }
}

/** The backup already has what the triggers would write. Foreign keys stay enforced: they are not our triggers. */
async function withoutTriggers(client: pg.Client, tables: readonly Table[], work: () => Promise<void>): Promise<void> {
  for (const { name } of tables) await client.query(`alter table ${quoted(name)} disable trigger user`)
  await work()
  for (const { name } of tables) await client.query(`alter table ${quoted(name)} enable trigger user`)
}

function requireSameTables(tables: readonly Table[], manifest: Manifest): void {
  const shape = (all: readonly Table[]): string =>
    all
      .map((table) => `${table.name}(${columnList(table)})`)
      .toSorted()
      .join()
  if (shape(tables) !== shape(manifest.tables)) {
    throw new CommandError('The tables of the database are not those of the backup, though the migrations are.')
  }
}

async function requireEmpty(client: pg.Client): Promise<void> {
  for (const name of PROOF_OF_USE) {
    const { rowCount } = await client.query(`select from ${quoted(name)} limit 1`)
    if (rowCount)
      throw new CommandError(`The database is in use (${name}): restore into a new one. Nothing was changed.`)
  }
}
