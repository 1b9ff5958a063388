import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, expect, it } from 'vitest'

const MAIN = join(import.meta.dirname, 'main.ts')
const DATA = join(import.meta.dirname, '../data')
const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

function start(...args: string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>
  cleanups.push(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, ended }
}

const ready = async (child: ReturnType<typeof start>['child']) => {
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return JSON.parse(line) as Record<string, number>
}

it('opens all five, says where in one line, and ends on SIGTERM with clients connected', async () => {
  const { child, ended } = start('--data', DATA)
  const ports = await ready(child)
  expect(Object.keys(ports)).toEqual(['rtr', 'irr', 'rdap', 'rpki', 'peeringdb'])
  for (const port of Object.values(ports)) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    await once(socket, 'connect')
  }
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

it('opens only what is asked for', async () => {
  const { child } = start('--data', DATA, '--only', 'rdap')
  expect(Object.keys(await ready(child))).toEqual(['rdap'])
})

it.each([
  [['--only', 'whois', '--data', DATA], /takes rtr, irr, rdap, rpki, peeringdb, got "whois"/],
  [['--data', DATA, '--irr-port', '70000'], /takes a number from 0 to 65535/],
  [[], /takes the folder with the data/],
])('refuses %j in words', async (args, words) => {
  const { child, ended } = start(...args)
  let said = ''
  child.stderr.on('data', (chunk) => (said += String(chunk)))
  expect((await ended)[0]).toBe(2)
  expect(said).toMatch(words)
})
