import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audit, SYSTEM } from '../../platform/audit.ts'
import { verifyAuditChain } from '../../platform/audit-chain.ts'
import { openDatabase, type Db } from '../../platform/db/index.ts'
import { emptyDatabase, testDatabase } from '../../platform/db/testing.ts'
import { run, settingsFor } from '../testing.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'longhaul-backup-'))
afterAll(() => rm(folder, { recursive: true }))
const { db, url } = await testDatabase()
const home = path.join(folder, 'home')
const env = settingsFor(url, home)
const file = path.join(folder, 'backup.tar.gz')
/** Characters that text formats get wrong. */
const AWKWARD = 'tab\there, newline\nthere, \\N, \\., "quotes", Zwölf ☃ 🦆'

beforeAll(async () => {
  await run(['site', 'add', 'ams1', '--name', AWKWARD.slice(0, 30)], env)
  await run(['admin', 'create', '--email', 'robin@example.net', '--name', 'Robin Teal'], env)
  await audit(db, SYSTEM, {
    action: 'account.changed',
    subject: { type: 'thing', id: 1 },
    accountId: null,
    data: { AWKWARD, n: 1.5e300 },
  })
  // More than a few chunks of a table, and bytes.
  await sql`insert into outgoing_mail (message_id, to_address, subject, last_error)
    select 'id-' || n, 'a@example.net', ${AWKWARD}, (select string_agg(md5(n || '-' || part), '') from generate_series(1, 100) part) from generate_series(1, 1500) n`.execute(
    db,
  )
  await sql`insert into idempotency_keys (caller, key, endpoint, body_digest, answer)
    values ('user:1', 'k', 'e', ${Buffer.from([0, 1, 92, 10, 255])}, '{"a": null}')`.execute(db)
  await mkdir(home, { recursive: true })
  await writeFile(path.join(home, 'secret-key'), 'f'.repeat(64))
  expect(await run(['backup', file], env)).toMatchObject({ code: 0 })
})

/** Returns every row of every table, as text. */
async function dump(on: Db): Promise<Record<string, string[]>> {
  const { rows: tables } = await sql<{ name: string }>`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname not like 'kysely%'`.execute(on)
  const all: Record<string, string[]> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.id(name)} t order by 1`.execute(on)
    all[name] = rows.map(({ row }) => row)
  }
  return all
}

async function restored(change: NodeJS.ProcessEnv = {}) {
  const target = await emptyDatabase()
  const dataDir = path.join(folder, Math.random().toString(36).slice(2))
  const there = { ...settingsFor(target, dataDir), ...change }
  return { target, dataDir, there, outcome: await run(['restore', file], there) }
}

test('a restore brings back every row of every table, and the key', async () => {
  const { target, dataDir, outcome } = await restored()
  expect(outcome).toEqual({ code: 0, text: expect.stringContaining('Restored ') })
  const copy = openDatabase({ url: target, poolSize: 2 })
  try {
    const [before, after] = [await dump(db), await dump(copy.db)]
    expect(Object.values(before).flat().length).toBeGreaterThan(1500)
    expect(after).toEqual(before)
    expect((await verifyAuditChain(copy.db)).faults).toEqual([])
    // New rows continue after the restored ones, by number and in the hash chain, and the triggers apply again.
    await audit(copy.db, SYSTEM, { action: 'account.changed', subject: { type: 'thing', id: 2 }, accountId: null })
    expect((await verifyAuditChain(copy.db)).faults).toEqual([])
    await expect(sql`delete from audit_events`.execute(copy.db)).rejects.toThrow(/never changed/)
  } finally {
    await copy.close()
  }
  expect(await readFile(path.join(dataDir, 'secret-key'), 'utf8')).toBe('f'.repeat(64))
  expect((await stat(path.join(dataDir, 'secret-key'))).mode & 0o777).toBe(0o600)
})

test('only its owner may read the file, and any tar can', async () => {
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const names = execFileSync('tar', ['--list', '--gzip', '--file', file], { encoding: 'utf8' }).trim().split('\n')
  expect(names).toEqual(expect.arrayContaining(['manifest.json', 'secret-key', 'tables/outgoing_mail/000004.copy']))
})

test('a backup never takes the place of another file', async () => {
  expect(await run(['backup', file], env)).toMatchObject({ code: 1, text: expect.stringContaining('is there already') })
})

test('a backup whose folder does not exist says so and ends', async () => {
  const nowhere = path.join(folder, 'nowhere', 'backup.tar.gz')
  expect(await run(['backup', nowhere], env)).toMatchObject({ code: 1, text: expect.stringContaining('ENOENT') })
})

test.skipIf(process.getuid?.() !== 0)('a backup that fills the disk says so, ends and leaves nothing', async () => {
  const small = path.join(folder, 'small')
  await mkdir(small)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', small])
  try {
    // Repeated, because the point in an entry where the disk fills up depends on timing.
    for (let attempt = 0; attempt < 20; attempt++) {
      const outcome = await run(['backup', path.join(small, 'backup.tar.gz')], env)
      expect(outcome).toMatchObject({ code: 1, text: expect.stringContaining('ENOSPC') })
      expect(await readdir(small)).toEqual([])
    }
  } finally {
    execFileSync('umount', [small])
  }
})

test('a restore creates the embedded database when told to', { timeout: 60_000 }, async () => {
  // The server's user has to pass through.
  await chmod(folder, 0o755)
  const { DATABASE_URL: _, ...there } = settingsFor(url, path.join(folder, 'embedded'))
  const { code, text } = await run(['restore', file, '--new'], there)
  expect({ code, text }).toEqual({ code: 0, text: expect.stringContaining('Restored ') })
  expect(await run(['audit', 'verify'], there)).toMatchObject({ code: 0 })
})

describe('a restore is refused, and changes nothing,', () => {
  test('a restore is refused where there is no database, unless it may create the embedded one', async () => {
    const { DATABASE_URL: _, ...there } = settingsFor(url, path.join(folder, 'nowhere-yet'))
    expect(await run(['restore', file], there)).toEqual({
      code: 1,
      text: expect.stringContaining('There is no database in'),
    })
    await expect(stat(path.join(folder, 'nowhere-yet'))).rejects.toThrow('ENOENT')
  })

  test('into a database that is in use', async () => {
    const before = await dump(db)
    const outcome = await run(['restore', file], env)
    expect(outcome).toMatchObject({ code: 1, text: expect.stringContaining('is in use') })
    expect(await dump(db)).toEqual(before)
  })

  test.for([
    ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length - 100)],
    ['without its end', (bytes: Buffer) => gzipSync(gunzipSync(bytes).subarray(0, -4096))],
    [
      'with a changed row',
      (bytes: Buffer) => gzipSync(replace(gunzipSync(bytes), 'robin@example.net', 'rubin@example.net')),
    ],
    ['with a changed key', (bytes: Buffer) => gzipSync(replace(gunzipSync(bytes), 'f'.repeat(64), 'e'.repeat(64)))],
    ['that is something else', () => Buffer.from('not a backup')],
    ['that is empty', () => Buffer.alloc(0)],
  ] as const)('of a file %s', async ([, damage]) => {
    const damaged = path.join(folder, 'damaged.tar.gz')
    await writeFile(damaged, damage(await readFile(file)))
    const target = await emptyDatabase()
    const outcome = await run(['restore', damaged], settingsFor(target, path.join(folder, 'unused')))
    expect(outcome).toMatchObject({ code: 1, text: expect.stringContaining('is not a whole backup') })
    await expect(stat(path.join(folder, 'unused'))).rejects.toThrow('ENOENT')
  })

  test('a restore is refused where another key is in place', async () => {
    const { outcome } = await restored({ SECRET_KEY: 'another key, of at least 32 characters' })
    expect(outcome).toMatchObject({ code: 1, text: expect.stringContaining('SECRET_KEY differs') })
  })
})

function replace(bytes: Buffer, from: string, to: string): Buffer {
  const copy = Buffer.from(bytes)
  copy.write(to, copy.indexOf(from))
  return copy
}
