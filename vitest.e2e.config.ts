import { defineConfig } from 'vitest/config'

/** Tests in a real browser against the real product, one after the other: they share a machine's bridges and processors. */
export default defineConfig({
  test: {
    include: ['e2e/**/*.e2e.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    fileParallelism: false,
    pool: 'forks',
  },
})
