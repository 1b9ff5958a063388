import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const slow = {
  testTimeout: 120_000,
  hookTimeout: 300_000,
  pool: 'forks',
  expect: { poll: { timeout: 15_000 } },
} as const
const MEASURED = 'e2e/spec/lighthouse.e2e.ts'

/**
 * A new bridge looks like a network change to a browser, which then drops its requests. So no test creates one beside
 * these.
 */
const WITH_BROWSER = [
  'e2e/configuration.e2e.ts',
  'e2e/deletion-grace.e2e.ts',
  'e2e/main-job.e2e.ts',
  'e2e/several-edges.e2e.ts',
  'e2e/several-hypervisors.e2e.ts',
  'e2e/staff-second-factor.e2e.ts',
]

/** Minutes each: a run that starts one last waits for it alone. */
const LONG = [
  'e2e/spec/accessibility.e2e.ts',
  'e2e/crash.e2e.ts',
  'e2e/start-and-stop.e2e.ts',
  'e2e/crash-libvirt.e2e.ts',
]

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = (file: TestSpecification): boolean => LONG.some((name) => file.moduleId.endsWith(name))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/**
 * Machines, kills and their products need about two cores. Each product's things carry its own mark, so that they never
 * collide.
 */
const half = { maxWorkers: Math.max(1, Math.floor(availableParallelism() / 2)) }
/** Each worker has its own product: these test the portal, and a start costs seconds. */
const onTestServer = { ...slow, globalSetup: ['e2e/spec/test-server.ts'], testTimeout: 60_000 }

/** Tests in a real browser against the real product. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          ...onTestServer,
          name: 'spec',
          include: ['e2e/spec/**/*.e2e.ts'],
          exclude: [MEASURED],
          // They wait for responses half of the time: two workers on two cores take little more than half as long.
          maxWorkers: Math.max(2, half.maxWorkers),
          sequence: { groupOrder: 1 },
        },
      },
      { test: { ...onTestServer, name: 'measured', include: [MEASURED], maxWorkers: 1, sequence: { groupOrder: 2 } } },
      {
        test: {
          ...slow,
          ...half,
          name: 'product',
          include: ['e2e/**/*.e2e.ts'],
          exclude: ['e2e/spec/**', ...WITH_BROWSER],
          sequence: { groupOrder: 3 },
        },
      },
      { test: { ...slow, name: 'journeys', include: WITH_BROWSER, maxWorkers: 1, sequence: { groupOrder: 4 } } },
    ],
  },
})
