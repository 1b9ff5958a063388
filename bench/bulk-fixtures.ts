/** A separate database with BENCH_ROWS users, prefixes and events. */
import { addBulkFixtures } from '../src/admin/testing-bulk.ts'
import type { Bench, Stage } from './bench.ts'
import { onOwnDatabase } from './own-database.ts'

const ROWS = Number(process.env['BENCH_ROWS'] ?? 100_000)

export const withBulkFixtures = (putUp: (url: string) => Promise<Stage>): Bench => ({
  open: () =>
    onOwnDatabase(async ({ db, url }) => {
      await addBulkFixtures(db, ROWS)
      return putUp(url)
    }),
})
