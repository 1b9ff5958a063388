import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'

const HERE = import.meta.dirname
const ROOT = path.join(HERE, '../..')

let folder: string
beforeEach(() => {
  // Below the clone, so that vitest finds itself.
  folder = mkdtempSync(path.join(ROOT, 'node_modules/.cache/processes-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const inFolder = (name: string): string => path.join(folder, name)
const seen = (name: string) =>
  expect.poll(() => existsSync(inFolder(name)), { timeout: 30_000, interval: 20 }).toBe(true)

/** Starts a script that runs the child with `run`, as `npm test` does, and waits until the child has started. */
async function startScript(child: readonly string[], teardownMs: number) {
  const script = `
    import { run } from ${JSON.stringify(path.join(HERE, 'processes.ts'))}
    import { writeFileSync } from 'node:fs'
    await run(process.execPath, ${JSON.stringify(child)}, { stdio: 'inherit', teardownMs: ${teardownMs} })
      .finally(() => writeFileSync(${JSON.stringify(inFolder('cleaned'))}, ''))`
  const started = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: ROOT,
  })
  const ended = once(started, 'exit') as Promise<[number | null]>
  await seen('started')
  return { kill: (signal: NodeJS.Signals) => started.kill(signal), code: async () => (await ended)[0] }
}

const child = (source: string): string[] => [
  '--input-type=module',
  '--eval',
  `
  import { writeFileSync } from 'node:fs'
  import { spawn } from 'node:child_process'
  const write = (name, text = '') => writeFileSync(${JSON.stringify(`${folder}/`)} + name, text)
  setInterval(() => {}, 1_000)
  ${source}
  write('started')`,
]

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'a child gets time for its teardown after %s, and the script fails',
  async (signal) => {
    const script = await startScript(
      child(`process.on('message', () => setTimeout(() => { write('torn-down'); process.exit(0) }, 1_500))`),
      30_000,
    )
    script.kill(signal)
    // npm passes on what the terminal has already sent.
    await sleep(100)
    script.kill(signal)
    expect(await script.code()).not.toBe(0)
    expect(existsSync(inFolder('torn-down'))).toBe(true)
    expect(existsSync(inFolder('cleaned'))).toBe(true)
  },
)

test('a child that does not end in time is killed with what it started', async () => {
  const script = await startScript(
    child(`write('pid', String(spawn('sleep', ['300'], { stdio: 'inherit' }).pid)); process.on('message', () => {})`),
    300,
  )
  script.kill('SIGTERM')
  expect(await script.code()).not.toBe(0)
  await expect.poll(() => isAlive(Number(readFileSync(inFolder('pid'), 'utf8')))).toBe(false)
})

test('the script waits until what the child had started has stopped', async () => {
  const product = `trap 'sleep 1; echo > ${folder}/stopped; exit' TERM; echo > ${folder}/product; while :; do sleep 0.1; done`
  const script = await startScript(
    child(
      `spawn('sh', ['-c', ${JSON.stringify(product)}], { stdio: 'ignore' }); process.on('message', () => process.exit(0))`,
    ),
    30_000,
  )
  await seen('product')
  script.kill('SIGTERM')
  expect(await script.code()).not.toBe(0)
  expect(existsSync(inFolder('stopped'))).toBe(true)
})

test('a second signal ends the child at once', async () => {
  const script = await startScript(child(`process.on('message', () => write('asked'))`), 600_000)
  script.kill('SIGTERM')
  await seen('asked')
  await sleep(1_100)
  script.kill('SIGTERM')
  expect(await script.code()).not.toBe(0)
})

test('tests in vitest run their teardown, and start no further test', { timeout: 90_000 }, async () => {
  const write = (name: string) => `writeFileSync(${JSON.stringify(inFolder(name))}, '')`
  writeFileSync(
    inFolder('endless.test.mjs'),
    `import { writeFileSync } from 'node:fs'
     import { afterAll, test } from 'vitest'
     afterAll(async () => { await new Promise((resolve) => setTimeout(resolve, 500)); ${write('torn-down')} })
     test('never ends', { timeout: 600_000 }, () => { ${write('started')}; return new Promise(() => {}) })
     test('is not started', () => ${write('further')})`,
  )
  const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs')
  const reporter = path.join(HERE, 'summary-reporter.ts')
  const script = await startScript(
    [vitest, 'run', `--root=${folder}`, '--pool=forks', `--reporter=${reporter}`],
    60_000,
  )
  script.kill('SIGTERM')
  expect(await script.code()).not.toBe(0)
  expect(existsSync(inFolder('torn-down'))).toBe(true)
  expect(existsSync(inFolder('further'))).toBe(false)
})
