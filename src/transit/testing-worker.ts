/** A trial with the worker at work, which ends with the test file, and what to wait for from it. */
import { afterAll } from 'vitest'
import type { EdgeDriver } from '../drivers/edge/index.ts'
import type { TransitDeps } from './deps.ts'
import { eventually, transitOnTrial } from './testing.ts'

export async function transitAtWork(edge: EdgeDriver, given: Pick<TransitDeps, 'setUp'> = {}) {
  const trial = await transitOnTrial(edge)
  Object.assign(trial.deps, given)
  const worker = trial.startWorker()
  afterAll(async () => {
    await worker.stop()
    await trial.close()
  })
  return {
    ...trial,
    statusOf: (id: number, status: string) =>
      eventually(async () => (await trial.prefix(id)).status === status && trial.prefix(id)),
    checked: (id: number) => eventually(async () => (await trial.prefix(id)).checked_at && trial.prefix(id)),
  }
}
