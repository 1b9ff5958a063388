import { availableParallelism } from 'node:os'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { databaseTests } from './scripts/checks/database-tests.ts'

/** Real daemons, machines and kills: seconds to minutes each, most of it waiting. */
const MACHINES = [
  'src/**/*.live.test.ts',
  'src/**/scenarios/**/*.test.ts',
  'src/**/libvirt/**/*.test.ts',
  'src/**/libvirt.test.ts',
  'src/drivers/*/conformance.test.ts',
  'lab/**/*.test.ts',
  'images/**/*.test.ts',
  'src/routers/{own-files,reboots,frozen-libvirtd}.test.ts',
  'src/platform/leases/take-over.test.ts',
  'src/main/failover.test.ts',
]
/** Long random walks, seconds each: without them the rest finishes within the minute of `npm run check`. */
const LONG = [
  'src/**/{interrupted,lifecycle,meter,never-twice,oracle,staff-lists}.test.ts',
  'src/billing/dunning/**',
  'src/drivers/rpki/rtr/**',
  'src/cli/**',
  'scripts/{isolation,manual-host,manual-postgres}.test.ts',
  'src/main/isolation/**',
]
/** The portal of these tests stays open as long as the process that imported it. */
const OWN_PROCESS = ['src/main/isolation/*.test.ts']
const ownProcess = (file: string): boolean => OWN_PROCESS.some((pattern) => path.matchesGlob(file, pattern))
const DATABASE = databaseTests(import.meta.dirname).filter((file) => !ownProcess(file))
const left = process.env['LONGHAUL_QUICK'] === undefined ? [] : LONG

const common = {
  // Several times what the slowest takes on a quiet machine: a test that hangs must end, but one on a busy machine must
  // not fail.
  testTimeout: 40_000,
  // On a quiet machine the awaited result comes at once; on a busy one, a second is too little.
  expect: { poll: { timeout: 10_000 } },
  hookTimeout: 60_000,
  pool: 'forks',
  // They partly wait for a database, a daemon or a machine: one more worker than processors keeps these busy.
  maxWorkers: availableParallelism() + 1,
} as const
// As Node itself resolves: the condition `development` would load two copies of graphql in a test.
const ssr = { resolve: { conditions: ['module', 'node'] } }

export default defineConfig({
  test: {
    globalSetup: ['src/platform/db/testing-setup.ts'],
    projects: [
      {
        ssr,
        test: {
          ...common,
          name: 'database',
          include: DATABASE,
          exclude: [...MACHINES, ...left],
          // Loading the product costs a file more than its tests do. The server keeps its state in the database and in
          // what a test opens, so the next file finds nothing of the previous one.
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        ssr,
        test: {
          ...common,
          name: 'rest',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: [...MACHINES, ...DATABASE, ...left],
          sequence: { groupOrder: 2 },
        },
      },
      {
        ssr,
        test: {
          ...common,
          name: 'machines',
          include: MACHINES,
          testTimeout: 90_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
