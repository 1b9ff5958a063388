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
    hookTimeout: 60_000,
    pool: 'forks',
  },
})
