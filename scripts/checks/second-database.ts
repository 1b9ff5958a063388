/**
 * The same migrations and queries once more, on the PostgreSQL of the system: production brings its own, and the oldest
 * that we promise is older than the one we bring. The server is made for the run and goes with it.
 */
import { execFile } from 'node:child_process'
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { skipped, type TestSummary } from './test-summary.ts'
import { runVitest } from './vitest.ts'

const run = promisify(execFile)
/** Where Debian keeps the servers, one folder for each major version. */
const SERVERS = '/usr/lib/postgresql'
/** What speaks SQL; the rest would only be the same run again. */
const SLICES = ['src/accounts', 'src/routers', 'src/transit', 'src/billing', 'src/admin', 'src/platform']
const NAME = 'the suites on the PostgreSQL of the system'

export async function runOnSecondDatabase(): Promise<TestSummary> {
  const none = (reason: string): TestSummary => skipped(NAME, reason)
  if (process.env['TEST_DATABASE_URL']) return none('TEST_DATABASE_URL names the one database to test on')
  const [version] = (await readdir(SERVERS).catch(() => [])).toSorted((a, b) => Number(a) - Number(b))
  if (version === undefined) return none('there is none: apt-get install postgresql')
  const identity = await serverIdentity()
  if (identity === null) return none('PostgreSQL does not run as root, and there is no user postgres')

  const folder = await mkdtemp(path.join(tmpdir(), 'longhaul-postgres-'))
  if (identity.uid !== undefined) await chown(folder, identity.uid, identity.gid!)
  const bin = path.join(SERVERS, version, 'bin')
  const data = path.join(folder, 'data')
  const options = { ...identity, cwd: '/' }
  try {
    await run(path.join(bin, 'initdb'), ['-D', data, '-U', 'tests', '-A', 'trust', '-E', 'UTF8', '--locale=C'], options)
    const settings = `-k ${folder} -c listen_addresses= -c max_connections=400 -c synchronous_commit=off -c random_page_cost=1.1`
    // Its output must not be a pipe of ours: the server would hold it open.
    const log = path.join(folder, 'log')
    await run(path.join(bin, 'pg_ctl'), ['-D', data, '-w', '-l', log, '-o', settings, 'start'], options)
    console.log(`The suites once more, on PostgreSQL ${version}`)
    process.env['TEST_DATABASE_URL'] = `postgres://tests@/postgres?host=${encodeURIComponent(folder)}`
    return await runVitest({ without: 'machines', args: SLICES, secondTry: true })
  } finally {
    delete process.env['TEST_DATABASE_URL']
    await run(path.join(bin, 'pg_ctl'), ['-D', data, '-m', 'immediate', 'stop'], options).catch(() => undefined)
    await rm(folder, { recursive: true, force: true })
  }
}

/** PostgreSQL refuses root; as anyone else it runs as who we are. */
async function serverIdentity(): Promise<{ uid?: number; gid?: number } | null> {
  if (userInfo().uid !== 0) return {}
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)),
    )
    return { uid: uid!, gid: gid! }
  } catch {
    return null
  }
}
