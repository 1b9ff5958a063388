/** A database of its own with BENCH_ROWS users, prefixes and events in it. */
import { addCrowd } from '../src/admin/testing-crowd.ts'
import type { Bench, Stage } from './bench.ts'
import { onOwnDatabase } from './own-database.ts'

const ROWS = Number(process.env['BENCH_ROWS'] ?? 100_000)

export const onCrowd = (putUp: (url: string) => Promise<Stage>): Bench => ({
  open: () =>
    onOwnDatabase(async ({ db, url }) => {
      await addCrowd(db, ROWS)
      return putUp(url)
    }),
})
