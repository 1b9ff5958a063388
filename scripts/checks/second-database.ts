/**
 * The same migrations and queries once more, on the PostgreSQL of the system: production brings its own, and the oldest
 * that we promise is older than the one we bring. The server is made for the run and goes with it.
 */
import { findSystemPostgres, withSystemPostgres } from './system-postgres.ts'
import { skipped, type TestSummary } from './test-summary.ts'
import { runVitest } from './vitest.ts'

/** What speaks SQL; the rest would only be the same run again. */
const SLICES = ['src/accounts', 'src/routers', 'src/transit', 'src/billing', 'src/admin', 'src/platform']
const NAME = 'the suites on the PostgreSQL of the system'
const SETTINGS = '-c listen_addresses= -c max_connections=400 -c synchronous_commit=off -c random_page_cost=1.1'

export async function runOnSecondDatabase(): Promise<TestSummary> {
  if (process.env['TEST_DATABASE_URL']) return skipped(NAME, 'TEST_DATABASE_URL names the one database to test on')
  const system = await findSystemPostgres()
  if (typeof system === 'string') return skipped(NAME, system)
  return withSystemPostgres(system, SETTINGS, async (folder) => {
    console.log(`The suites once more, on PostgreSQL ${system.version}`)
    process.env['TEST_DATABASE_URL'] = `postgres://tests@/postgres?host=${encodeURIComponent(folder)}`
    try {
      return await runVitest({ without: 'machines', args: SLICES, secondTry: true })
    } finally {
      delete process.env['TEST_DATABASE_URL']
    }
  })
}
