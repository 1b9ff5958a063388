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
/** Long random walks and lives, seconds each: what is left answers within the minute that `npm run check` may take. */
const LONG = [
  'src/**/{interrupted,lifecycle,meter,never-twice,oracle,staff-lists}.test.ts',
  'src/billing/dunning/**',
  'src/drivers/rpki/rtr/**',
  'src/cli/**',
  'scripts/{isolation,manual-host,manual-postgres}.test.ts',
  'src/main/isolation/**',
]
/** Its portal stays open for as long as the process that imported it. */
const OWN_PROCESS = ['src/main/isolation/*.test.ts']
const ownProcess = (file: string): boolean => OWN_PROCESS.some((pattern) => path.matchesGlob(file, pattern))
const DATABASE = databaseTests(import.meta.dirname).filter((file) => !ownProcess(file))
const left = process.env['LONGHAUL_QUICK'] === undefined ? [] : LONG

const common = {
  // Several times what the slowest takes on a quiet machine: a test that hangs must end, one on a busy machine must not fail.
  testTimeout: 40_000,
  // What is waited for comes at once on a quiet machine; a second is too little on a busy one.
  expect: { poll: { timeout: 10_000 } },
  hookTimeout: 60_000,
  pool: 'forks',
  // They wait for a database, a daemon or a machine for part of their time: one more than processors keeps these busy.
  maxWorkers: availableParallelism() + 1,
} as const
// As Node itself resolves: with the condition `development` there would be two copies of graphql in a test.
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
          // To load the product costs a file more than its tests do. The server keeps its state in the database and in
          // what a test opens, so the next file finds nothing of the one before.
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
