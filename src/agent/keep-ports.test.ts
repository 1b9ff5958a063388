import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { Fence } from '../drivers/agent/fence.ts'
import { keepPorts } from './keep-ports.ts'

function keeping(guardPorts: () => Promise<{ repaired: boolean }>) {
  const fence = new Fence()
  const stop = new AbortController()
  const warn = vi.fn()
  const driver = { guardPorts: vi.fn(guardPorts) }
  const done = keepPorts({ driver, fence, signal: stop.signal, log: { warn }, everyMs: 10 })
  return {
    fence,
    warn,
    looks: () => driver.guardPorts.mock.calls.length,
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await done
    },
  }
}

test('an agent whose link is cut looks at the rules by itself, and says when it set them again', async () => {
  let gone = true
  await using one = keeping(async () => ({ repaired: gone && !(gone = false) }))
  await vi.waitUntil(() => one.looks() > 2)
  expect(one.warn).toHaveBeenCalledTimes(1)
})

test('an agent that a portal drives leaves it to the portal, and takes over when the lease has run out', async () => {
  await using one = keeping(async () => ({ repaired: false }))
  one.fence.admit({ epoch: 1n, leftMs: 400 })
  await sleep(50)
  const before = one.looks()
  await sleep(200)
  expect(one.looks()).toBe(before)
  await vi.waitUntil(() => one.looks() > before, { timeout: 5_000 })
})

test('an agent whose libvirt is away says so once and continues looking', async () => {
  await using one = keeping(() => Promise.reject(new Error('libvirtd does not answer')))
  await vi.waitUntil(() => one.looks() > 3)
  expect(one.warn).toHaveBeenCalledTimes(1)
})
