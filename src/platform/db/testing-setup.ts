/**
 * Runs once before the tests, and starts the server for the databases of {@link testDatabase}. TEST_DATABASE_URL names
 * another server (its role must be allowed to create databases). By default it is the embedded one, kept between runs
 * and shared by concurrent runs.
 */
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from './embedded.ts'
import './testing.ts'

const FOLDER = path.join(import.meta.dirname, '../../../node_modules/.cache/test-database')

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env['TEST_DATABASE_URL']
  if (given) {
    project.provide('databaseServer', given)
    return undefined
  }
  // Commits that reach the disk a little later cost tests nothing. A corrupt database would, so fsync stays on.
  const embedded = await startEmbedded({
    dataDir: FOLDER,
    settings: { synchronous_commit: 'off', max_connections: '400' },
  })
  await dropOrphaned(embedded.adminUrl)
  project.provide('databaseServer', embedded.adminUrl)
  return () => embedded.stop()
}

/** Drops what killed runs left: databases whose process is gone, and templates of outdated migrations. */
async function dropOrphaned(adminUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    const found = await admin.query<{ name: string }>(
      `select datname as name from pg_database where datname like 'test\\_%' order by datname`,
    )
    for (const { name } of found.rows) {
      if (!isAlive(Number(name.split('_')[1]))) await admin.query(`drop database if exists ${name} with (force)`)
    }
  } finally {
    await admin.end()
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
