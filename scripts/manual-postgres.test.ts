/** Runs the dump in docs/operate.md on the system's PostgreSQL: its pg_dump rejects the newer server of other tests. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { migrate } from '../src/platform/db/migrate.ts'
import { findSystemPostgres, withSystemPostgres } from './checks/system-postgres.ts'
import { block } from './manual/documents.ts'

const system = await findSystemPostgres()
const LACKS = typeof system === 'string' ? ` (skipped: PostgreSQL of the system: ${system})` : ''
const folder = await mkdtemp(path.join(tmpdir(), 'longhaul-dump-'))
afterAll(() => rm(folder, { recursive: true }))

test.skipIf(typeof system === 'string')(
  `the database is dumped and comes back, as the commands say${LACKS}`,
  { timeout: 120_000 },
  async () => {
    if (typeof system === 'string') return
    await withSystemPostgres(system, '-c listen_addresses= -c fsync=off', async (server) => {
      const url = `postgres://tests@/postgres?host=${encodeURIComponent(server)}`
      await migrate(url)
      const ask = async (sql: string): Promise<unknown[]> => {
        const client = new pg.Client({ connectionString: url })
        await client.connect()
        try {
          return (await client.query({ text: sql, rowMode: 'array' })).rows.flat()
        } finally {
          await client.end()
        }
      }
      await ask(`insert into sites (slug, name) values ('ams1', 'Amsterdam 1')`)
      const [dump, restore] = block('docs/operate.md: pg_dump').trim().split('\n')
      const shell = (line: string) =>
        promisify(execFile)('bash', ['-euc', line], {
          cwd: folder,
          env: { ...process.env, PATH: `${system.bin}:${process.env['PATH']}`, DATABASE_URL: url },
        })
      await shell(dump!)
      await ask(`delete from sites`)
      await shell(restore!)
      expect(await ask('select slug from sites')).toEqual(['ams1'])
    })
  },
)
