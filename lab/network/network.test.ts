import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BirdControl } from '../../src/drivers/edge/bird/control.ts'
import { ensureNetwork, FULL_TABLE, labSkipReason, stopNetwork, type LabNetwork } from './index.ts'
import { ip, namespacePids } from './ip.ts'
import { startTraffic } from './traffic.ts'

const skipReason = await labSkipReason()
const DATA = fileURLToPath(new URL('../data', import.meta.url))
const INDEX = fileURLToPath(new URL('./index.ts', import.meta.url))

async function ask(socket: string, command: string): Promise<string> {
  using control = await BirdControl.connect(socket, { restricted: true })
  return (await control.command(command)).lines.map((line) => line.text).join('\n')
}

async function eventually(check: () => Promise<void>): Promise<void> {
  for (const deadline = Date.now() + 15_000; ; await sleep(100)) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
  }
}

describe.skipIf(skipReason)(`the lab's network${skipReason ? ` (skipped: ${skipReason})` : ''}`, () => {
  let instance: string
  let directory: string
  beforeEach(async () => {
    instance = randomBytes(3).toString('hex')
    directory = await mkdtemp(join(tmpdir(), 'lh-lab-'))
  })
  afterEach(async () => {
    await stopNetwork(instance)
    await rm(directory, { recursive: true })
  })

  const pids = async (network: LabNetwork): Promise<number[]> => [
    ...(await namespacePids(network.names.edgeNamespace)),
    ...(await namespacePids(network.names.upstreamNamespace)),
  ]
  /** Returns everything on the machine whose name includes the instance. */
  const traces = async (): Promise<string[]> =>
    [
      ...(await ip('link', 'show')).split('\n'),
      ...(await ip('netns', 'list')).split('\n'),
      ...(await readdir('/run')),
    ].filter((line) => line.includes(instance))

  test('the edge holds the whole table of its upstream, in both families', async () => {
    const network = await ensureNetwork({ instance, directory })
    await eventually(async () => {
      for (const family of [4, 6] as const) {
        const routes = await ask(network.edge.socket, `show route protocol upstream1_v${family} count`)
        expect(routes).toContain(`${FULL_TABLE[family].length} of `)
      }
    })
    const route = await ask(network.edge.socket, 'show route 45.31.96.0/24 all')
    expect(route).toContain('BGP.as_path: 500001 500140 500141 500142 500143')
  })

  test('asked for again, it is left as it runs', async () => {
    const before = await pids(await ensureNetwork({ instance, directory }))
    expect(before).toHaveLength(2)
    expect(await pids(await ensureNetwork({ instance, directory }))).toEqual(before)
  })

  test('an owner that is killed leaves it running, and the next one adopts it', async () => {
    const program = `import { ensureNetwork } from ${JSON.stringify(INDEX)}
      await ensureNetwork(${JSON.stringify({ instance, directory })})
      console.log('made')
      setInterval(() => {}, 1000)`
    const owner = spawn(process.execPath, ['--input-type=module', '-e', program])
    await once(owner.stdout, 'data')
    owner.kill('SIGKILL')
    await once(owner, 'close')
    const network = await ensureNetwork({ instance, directory })
    expect(await pids(network)).toHaveLength(2)
    expect(await ask(network.edge.socket, 'show status')).toContain('up and running')
  })

  test('the traffic of the demonstration runs once, stays below two Mbit/s, and ends with the network', async () => {
    const { names } = await ensureNetwork({ instance, directory })
    const commands = async () => {
      const found: { pid: number; command: string }[] = []
      for (const pid of await namespacePids(names.upstreamNamespace)) {
        // The process may be gone by now: each ping ends after a while.
        const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
        found.push({ pid, command: text.split('\0')[0]! })
      }
      return found
    }
    const count = async (name: string) => (await commands()).filter(({ command }) => command === name).length
    const sent = async (): Promise<number> => {
      const links = JSON.parse(await ip('-netns', names.upstreamNamespace, '-s', '-json', 'link', 'show', 'edge0'))
      return links[0].stats64.tx.bytes
    }
    await startTraffic(names)
    await eventually(async () => expect(await count('ping')).toBe(4))
    await startTraffic(names)
    await sleep(1_500)
    const before = await sent()
    await sleep(3_000)
    expect(((await sent()) - before) * 8).toBeLessThan(3 * 2_000_000)
    expect([await count('flock'), await count('ping')]).toEqual([4, 4])
    const all = await commands()
    await stopNetwork(instance)
    // Killed at once, and gone when its parent has been told.
    await eventually(async () => expect(all.filter(({ pid }) => existsSync(`/proc/${pid}`))).toEqual([]))
  })

  test('what is missing is made again', async () => {
    const network = await ensureNetwork({ instance, directory })
    await ip('link', 'delete', network.bridge)
    await ip('-netns', network.names.upstreamNamespace, 'link', 'delete', 'edge0')
    for (const pid of await namespacePids(network.names.edgeNamespace)) process.kill(pid, 'SIGKILL')
    const mended = await ensureNetwork({ instance, directory })
    const port = JSON.parse(await ip('-json', 'link', 'show', mended.names.edgePort)) as [{ master: string }]
    expect(port[0].master).toBe(mended.bridge)
    await eventually(async () =>
      expect(await ask(mended.edge.socket, 'show protocols upstream1_v4')).toContain('Established'),
    )
  })

  test('the bridge keeps its address when a guest with a lower one comes', async () => {
    const { bridge, names } = await ensureNetwork({ instance, directory })
    const guest = `lhg${instance}`
    await ip('link', 'add', guest, 'address', '02:00:00:00:00:01', 'master', bridge, 'type', 'veth')
    const [link] = JSON.parse(await ip('-json', 'link', 'show', bridge)) as [{ address: string }]
    await ip('link', 'delete', guest)
    expect(link.address).toBe(names.bridgeMac)
  })

  test('stopped, it leaves nothing on the machine but its directory, and another lab continues', async () => {
    const neighbour = randomBytes(3).toString('hex')
    const elsewhere = await mkdtemp(join(tmpdir(), 'lh-lab-'))
    try {
      const network = await ensureNetwork({ instance, directory })
      const other = await ensureNetwork({ instance: neighbour, directory: elsewhere })
      expect(await traces()).not.toEqual([])
      await network.stop()
      expect(await traces()).toEqual([])
      expect(existsSync(join(network.edge.directory, 'live', 'policy.conf'))).toBe(true)
      expect(await ask(other.edge.socket, 'show status')).toContain('up and running')
    } finally {
      await stopNetwork(neighbour)
      await rm(elsewhere, { recursive: true })
    }
  })

  test('the edge learns from the RTR cache beside it, also when that was killed', async () => {
    const rtr = { port: 8282, data: DATA }
    const network = await ensureNetwork({ instance, directory, rtr })
    const expectRoas = () =>
      eventually(async () =>
        expect(await ask(network.edge.socket, 'show route table rpki4')).toContain('45.30.10.0/24-24 AS500010'),
      )
    await expectRoas()
    const before = await pids(network)
    expect(await pids(await ensureNetwork({ instance, directory, rtr }))).toEqual(before)
    const { pid } = JSON.parse(await readFile(join(network.names.runDirectory, 'rtr.json'), 'utf8')) as { pid: number }
    process.kill(pid, 'SIGKILL')
    await eventually(async () => expect(await pids(network)).not.toContain(pid))
    await ensureNetwork({ instance, directory, rtr })
    expect(await pids(network)).toHaveLength(3)
    await expectRoas()
  })

  test.each(['', 'abc', 'ABCDEF', '../../', 'abcdefa'])(
    'the mark %j is refused before anything is made',
    async (mark) => {
      await expect(ensureNetwork({ instance: mark, directory })).rejects.toThrow('six hexadecimal characters')
    },
  )
})
