/** A test app with a running worker that stops with the test file, and helpers to wait for it. */
import { afterAll } from 'vitest'
import type { EdgeDriver } from '../drivers/edge/index.ts'
import type { TransitDeps } from './deps.ts'
import { eventually, createTransitTestApp } from './testing.ts'

export async function transitWithWorker(edge: EdgeDriver, given: Pick<TransitDeps, 'setUp'> = {}) {
  const testApp = await createTransitTestApp(edge)
  Object.assign(testApp.deps, given)
  const worker = testApp.startWorker()
  afterAll(async () => {
    await worker.stop()
    await testApp.close()
  })
  return {
    ...testApp,
    statusOf: (id: number, status: string) =>
      eventually(async () => (await testApp.prefix(id)).status === status && testApp.prefix(id)),
    checked: (id: number) => eventually(async () => (await testApp.prefix(id)).checked_at && testApp.prefix(id)),
  }
}
