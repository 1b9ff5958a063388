import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // As Node itself resolves: with the condition `development` there would be two copies of graphql in a test.
  ssr: { resolve: { conditions: ['module', 'node'] } },
  test: {
    include: [
      'src/**/*.test.ts',
      'lab/**/*.test.ts',
      'images/**/*.test.ts',
      'scripts/**/*.test.ts',
      'bench/**/*.test.ts',
    ],
    globalSetup: ['src/platform/db/testing-setup.ts'],
    testTimeout: 20_000,
    // What is waited for comes at once on a quiet machine; a second is too little on a busy one.
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 60_000,
    pool: 'forks',
    // Most files wait for a database, a daemon or a machine: on two cores three at a time end in half the time of one.
    maxWorkers: Math.max(3, availableParallelism()),
  },
})
