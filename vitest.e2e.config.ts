import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const slow = { testTimeout: 120_000, hookTimeout: 300_000, pool: 'forks' } as const
const MEASURED = 'e2e/spec/lighthouse.e2e.ts'

/** A browser and a product need about two cores. What the products make carries their own marks, so that they never meet. */
const half = { maxWorkers: Math.max(1, Math.floor(availableParallelism() / 2)) }
/** On one product each worker of them keeps to itself: what they test is the portal, and a start costs seconds. */
const onStand = { ...slow, globalSetup: ['e2e/spec/stand.ts'], testTimeout: 60_000 }

/** Tests in a real browser against the real product. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...onStand,
          name: 'spec',
          include: ['e2e/spec/**/*.e2e.ts'],
          exclude: [MEASURED],
          ...half,
          sequence: { groupOrder: 1 },
          // A browser draws when it may. One that was late passes at the second try, and the verdict names it.
          retry: 1,
        },
      },
      { test: { ...onStand, name: 'measured', include: [MEASURED], maxWorkers: 1, sequence: { groupOrder: 2 } } },
      {
        test: {
          ...slow,
          ...half,
          name: 'product',
          include: ['e2e/**/*.e2e.ts'],
          exclude: ['e2e/spec/**'],
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
