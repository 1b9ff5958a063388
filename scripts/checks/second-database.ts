/**
 * Runs migrations and queries again on the system's PostgreSQL. Production brings its own, and the oldest version that
 * we support is older than the one we bundle. The server exists only for the run.
 */
import { availableParallelism } from 'node:os'
import { databaseTests } from './database-tests.ts'
import { findSystemPostgres, withSystemPostgres } from './system-postgres.ts'
import { skipped, type TestSummary } from './test-summary.ts'
import { runVitest } from './vitest.ts'

/** They run the same statements as the tests beside them, thousands of times: they look for faults in our own code. */
const WALKS = /\/(interrupted|lifecycle|meter|never-twice|oracle)\.test\.ts$/
/** Whole processes, whose statements are those of the slices. */
const PROCESSES = /^src\/(cli|main|observability)\//
const NAME = 'the suites on the PostgreSQL of the system'
const SETTINGS = '-c listen_addresses= -c max_connections=400 -c synchronous_commit=off -c random_page_cost=1.1'

/** Prints at the end: other tests run at the same time. */
export async function runOnSecondDatabase(): Promise<TestSummary> {
  if (process.env['TEST_DATABASE_URL']) return skipped(NAME, 'TEST_DATABASE_URL names the one database to test on')
  const system = await findSystemPostgres()
  if (typeof system === 'string') return skipped(NAME, system)
  return withSystemPostgres(system, SETTINGS, (folder) => {
    console.log(`Also what speaks SQL on PostgreSQL ${system.version}; it prints when it has ended`)
    return runVitest({
      projects: ['database'],
      workers: availableParallelism(),
      args: databaseTests('.').filter((file) => !WALKS.test(file) && !PROCESSES.test(file)),
      env: { TEST_DATABASE_URL: `postgres://tests@/postgres?host=${encodeURIComponent(folder)}` },
      printAtEnd: true,
      secondTry: true,
    })
  })
}
