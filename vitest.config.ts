import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'lab/**/*.test.ts', 'images/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: ['src/platform/db/testing-setup.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    pool: 'forks',
  },
})
