/** Tests the lab's servers with third-party clients. Skipped where those are not installed. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { existsSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startIrr } from './irr.ts'
import { startRtr } from './rtr.ts'

const run = promisify(execFile)
const file = (name: string) => join(import.meta.dirname, '../data', name)
const find = (program: string) =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'].map((folder) => join(folder, program)).find(existsSync)

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

const bgpq4 = find('bgpq4')
describe.skipIf(!bgpq4)('the IRR server, asked by bgpq4 (skipped where it is not installed)', () => {
  const ask = async (...args: string[]) => {
    const server = await startIrr({ file: file('irr.rpsl') })
    cleanups.push(() => server.close())
    const { stdout } = await run(bgpq4!, ['-h', `127.0.0.1:${server.port}`, '-j', '-l', 'found', ...args], {
      timeout: 10_000,
    })
    return (JSON.parse(stdout) as { found: unknown[] }).found
  }
  const exact = (...prefixes: string[]) => prefixes.map((prefix) => ({ prefix, exact: true }))
  /** Reads the file without our parser: each `route` with one of the origins, from one of the sources. */
  const registered = (origins: readonly number[], sources: readonly string[]) =>
    exact(
      ...readFileSync(file('irr.rpsl'), 'utf8')
        .split('\n\n')
        .flatMap((text) => {
          const value = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(text)?.[1]
          const counts = origins.some((asn) => value('origin') === `AS${asn}`) && sources.includes(value('source')!)
          return counts && value('route') ? [value('route')!] : []
        }),
    )
  const byPrefix = (found: unknown[]) => found.map((one) => JSON.stringify(one)).toSorted()

  it.each([
    [['-S', 'RIPE', 'AS-KESTREL'], registered([500_010, 500_011], ['RIPE'])],
    [['-S', 'RIPE,RADB', 'AS500010'], registered([500_010], ['RIPE', 'RADB'])],
    [['-6', 'AS-PLOVER'], exact('2d10:20::/32')],
    [['AS500010:AS-CUSTOMERS'], registered([500_010, 500_011], ['RIPE', 'RADB'])],
    [
      ['-t', 'AS500010:AS-CUSTOMERS'],
      [500_010, 500_011],
    ],
    [['RIPE::AS-PLOVER'], exact('45.30.20.0/24')],
  ])('%j finds what is registered', async (args, expected) => {
    expect(byPrefix(await ask(...args))).toEqual(byPrefix(expected))
  })
})

const bird = find('bird')
const birdc = find('birdc')
describe.skipIf(!bird || !birdc)('the RPKI cache, followed by BIRD (skipped where it is not installed)', () => {
  it('hands over every ROA, and its changes', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'longhaul-judge-'))
    cleanups.push(() => rm(directory, { recursive: true, force: true }))
    const data = join(directory, 'vrps.json')
    const roa = (asn: number, prefix: string, maxLength: number) => ({ asn, prefix, maxLength })
    const first = [roa(500_010, '45.30.10.0/24', 24), roa(500_010, '2d10:10::/32', 48), roa(0, '45.30.99.0/24', 24)]
    await writeFile(data, JSON.stringify({ roas: first }))
    const cache = await startRtr({ file: data })
    cleanups.push(() => cache.close())
    const socket = join(directory, 'bird.ctl')
    await writeFile(
      join(directory, 'bird.conf'),
      `router id 192.0.2.1; protocol device { }
roa4 table r4; roa6 table r6;
protocol rpki cache { roa4 { table r4; }; roa6 { table r6; }; remote 127.0.0.1 port ${cache.port}; retry 1; }`,
    )
    const daemon = spawn(
      bird!,
      ['-f', '-c', join(directory, 'bird.conf'), '-s', socket, '-P', join(directory, 'bird.pid')],
      {
        stdio: 'ignore',
      },
    )
    const ended = once(daemon, 'exit')
    cleanups.push(async () => {
      daemon.kill('SIGKILL')
      await ended
    })
    const routes = async () => {
      const { stdout } = await run(birdc!, ['-s', socket, 'show', 'route'], { timeout: 5000 })
      return [...stdout.matchAll(/^(\S+\/\S+) AS(\d+)/gm)].map(([, net, asn]) => `${net} AS${asn}`).toSorted()
    }
    const settles = (expected: string[]) =>
      vi.waitFor(async () => expect(await routes()).toEqual(expected), { timeout: 15_000, interval: 200 })
    await settles(['2d10:10::/32-48 AS500010', '45.30.10.0/24-24 AS500010', '45.30.99.0/24-24 AS0'])
    await writeFile(data, JSON.stringify({ roas: [...first.slice(1), roa(500_020, '45.30.20.0/24', 24)] }))
    await settles(['2d10:10::/32-48 AS500010', '45.30.20.0/24-24 AS500020', '45.30.99.0/24-24 AS0'])
  })
})
