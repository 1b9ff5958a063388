import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { exclusively, lockFile, join } from './process-lock.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'longhaul-lock-'))
afterAll(() => rm(folder, { recursive: true }))

/**
 * Starts another process that evaluates the expression with `lock` in scope, reports when it did, and keeps running.
 */
async function elsewhere(expression: string, limits = ''): Promise<{ kill(): Promise<void> }> {
  const program = `import * as lock from ${JSON.stringify(path.join(import.meta.dirname, 'process-lock.ts'))}
    setInterval(() => {}, 1000)
    ${expression}`
  const child = spawn(
    'sh',
    ['-c', `${limits} exec "$0" "$@"`, process.execPath, '--input-type=module', '--eval', program],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  await once(child.stdout, 'data')
  return {
    kill: async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

it('lets one at a time do its work, in one process and across', async () => {
  const file = path.join(folder, 'one')
  const holder = await elsewhere(
    `await lock.exclusively(${JSON.stringify(file)}, async () => { console.log('in'); await new Promise(() => {}) })`,
  )
  let inside = 0
  let most = 0
  const work = async (): Promise<void> => {
    most = Math.max(most, ++inside)
    await sleep(5)
    inside -= 1
  }
  const waiting = Promise.all([exclusively(file, work), exclusively(file, work), exclusively(file, work)])
  await sleep(150)
  expect(most).toBe(0)
  await holder.kill()
  await waiting
  expect(most).toBe(1)
})

it('lets go when the work fails', async () => {
  const file = path.join(folder, 'failing')
  await expect(exclusively(file, () => Promise.reject(new Error('no luck')))).rejects.toThrow('no luck')
  expect(await exclusively(file, () => Promise.resolve('next'))).toBe('next')
})

it('is held by one until that lets go or dies, and others stop waiting', async () => {
  const file = path.join(folder, 'held')
  const killed = await elsewhere(`await lock.lockFile(${JSON.stringify(file)}, 0); console.log('in')`)
  expect(await lockFile(file, 100)).toBeNull()
  const waiting = lockFile(file, 5_000)
  await killed.kill()
  const letGo = await waiting
  expect(await lockFile(file, 0)).toBeNull()
  letGo!()
  expect(await lockFile(file, 0)).not.toBeNull()
})

it('tells the last member, and forgets those that were killed', async () => {
  const file = path.join(folder, 'members')
  const [first, second] = [await join(file), await join(file)]
  const killed = await elsewhere(`await lock.join(${JSON.stringify(file)}); console.log('in')`)
  expect(first.leave()).toBe(false)
  const third = await join(file)
  expect(third.leave()).toBe(false)
  await killed.kill()
  expect(second.leave()).toBe(true)
})

it('is had where nothing can be written', async () => {
  const file = JSON.stringify(path.join(folder, 'full'))
  const unwritten = await elsewhere(
    `const member = await lock.join(${file})
     if (member.leave()) await lock.exclusively(${file}, async () => console.log('in'))`,
    'ulimit -f 0;',
  )
  await unwritten.kill()
})
