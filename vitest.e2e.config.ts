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
 * these, and the last two, which create bridges themselves, have the machine to themselves.
 */
const WITH_BROWSER = [
  'e2e/configuration.e2e.ts',
  'e2e/deletion-grace.e2e.ts',
  'e2e/several-hypervisors.e2e.ts',
  'e2e/staff-second-factor.e2e.ts',
]
const WITH_BROWSER_AND_BRIDGES = ['e2e/main-job.e2e.ts', 'e2e/several-edges.e2e.ts']

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
 * They wait half of the time: for responses, for a machine to boot, for a kill to be noticed. Two workers on two cores
 * take little more than half as long. Each product's things carry its own mark, so that they never collide.
 */
const shared = { ...slow, maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)) }
/** Each worker has its own product: these test the portal, and a start costs seconds. */
const onTestServer = { ...shared, globalSetup: ['e2e/spec/test-server.ts'], testTimeout: 60_000 }

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
          sequence: { groupOrder: 1 },
        },
      },
      { test: { ...onTestServer, name: 'measured', include: [MEASURED], maxWorkers: 1, sequence: { groupOrder: 2 } } },
      {
        test: {
          ...shared,
          name: 'product',
          include: ['e2e/**/*.e2e.ts'],
          exclude: ['e2e/spec/**', ...WITH_BROWSER, ...WITH_BROWSER_AND_BRIDGES],
          sequence: { groupOrder: 3 },
        },
      },
      { test: { ...shared, name: 'journeys', include: WITH_BROWSER, sequence: { groupOrder: 4 } } },
      {
        test: {
          ...slow,
          name: 'journeys with bridges',
          include: WITH_BROWSER_AND_BRIDGES,
          maxWorkers: 1,
          sequence: { groupOrder: 5 },
        },
      },
    ],
  },
})
