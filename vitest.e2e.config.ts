import { defineConfig } from 'vitest/config'

const slow = { testTimeout: 120_000, hookTimeout: 300_000, pool: 'forks' } as const

/** Tests in a real browser against the real product, one after the other: they share a machine's bridges and processors. */
export default defineConfig({
  test: {
    fileParallelism: false,
    projects: [
      {
        test: {
          ...slow,
          name: 'spec',
          include: ['e2e/spec/**/*.e2e.ts'],
          // One product for all of them: what they test is the portal, and a start costs seconds.
          globalSetup: ['e2e/spec/stand.ts'],
          testTimeout: 30_000,
        },
      },
      { test: { ...slow, name: 'product', include: ['e2e/**/*.e2e.ts'], exclude: ['e2e/spec/**'] } },
    ],
  },
})
