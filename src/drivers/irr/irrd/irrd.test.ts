import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { startIrr } from '../../../../lab/sources/irr.ts'
import { manualClock } from '../../../kernel/clock.ts'
import { parsePrefix } from '../../../kernel/prefix.ts'
import type { IrrSource } from '../index.ts'
import { createIrrd, type IrrdOptions } from './index.ts'

const DATA = join(import.meta.dirname, '../../../../lab/data/irr.rpsl')
const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

function ask(port: number, change: Partial<IrrdOptions> = {}): IrrSource {
  const irr = createIrrd({ host: '127.0.0.1', port, sources: ['RIPE', 'RADB'], ...change })
  cleanups.push(() => irr.close())
  return irr
}

async function laboratory(change: Partial<IrrdOptions> = {}): Promise<IrrSource> {
  const server = await startIrr({ file: DATA })
  cleanups.push(() => server.close())
  return ask(server.port, change)
}

/** A server that hears commands and answers what the test says; nothing at all for `null`. */
async function madeUp(answer: (command: string, socket: Socket) => string | null) {
  const heard: string[] = []
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket.on('error', () => socket.destroy()))
    socket.on('data', (chunk) => {
      for (const command of chunk
        .toString()
        .trim()
        .split('\n')
        .filter((line) => line !== '!!')) {
        heard.push(command)
        const text = /^![ns]/.test(command) ? 'C\n' : answer(command, socket)
        if (text !== null && socket.writable) socket.write(text)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(async () => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, heard }
}

describe('route objects', () => {
  it('are found for the prefix itself and for what covers it, with the registry that holds them', async () => {
    const irr = await laboratory()
    const found = await irr.routeObjects(parsePrefix('45.30.12.0/24'))
    expect(found.toSorted((a, b) => a.source.localeCompare(b.source))).toEqual([
      { prefix: '45.30.12.0/24', origin: 500_010, source: 'RADB' },
      { prefix: '45.30.12.0/23', origin: 500_010, source: 'RIPE' },
    ])
  })

  it('are found for IPv6, and none where there are none', async () => {
    const irr = await laboratory()
    expect(await irr.routeObjects(parsePrefix('2d10:10:1::/48'))).toEqual([
      { prefix: '2d10:10::/32', origin: 500_010, source: 'RIPE' },
    ])
    expect(await irr.routeObjects(parsePrefix('45.30.14.0/24'))).toEqual([])
  })

  it('are looked for only in the registries that were chosen', async () => {
    const irr = await laboratory({ sources: ['RADB'] })
    expect((await irr.routeObjects(parsePrefix('45.30.12.0/24'))).map((object) => object.source)).toEqual(['RADB'])
  })

  it('that speak of another prefix, or lack half of themselves, are left out', async () => {
    const rpsl = [
      'route: 45.30.10.0/24\norigin: AS1\nsource: RIPE # Filtered',
      'route: 45.30.11.0/24\norigin: AS2\nsource: RIPE',
      'route: 45.30.10.0/24\norigin: nonsense\nsource: RIPE',
      'route: 45.30.10.0/24\norigin: AS3',
      'remarks: route: 45.30.10.0/24\norigin: AS4\nsource: RIPE',
      'route: 45.30.10.1/24\norigin: AS5\nsource: RIPE',
    ].join('\n\n')
    const { port } = await madeUp(() => `A${rpsl.length + 1}\n${rpsl}\nC\n`)
    expect(await ask(port).routeObjects(parsePrefix('45.30.10.0/24'))).toEqual([
      { prefix: '45.30.10.0/24', origin: 1, source: 'RIPE' },
    ])
  })
})

describe('AS-SETs', () => {
  it.each([
    ['AS-KESTREL', [500_010, 500_011]],
    ['as-kestrel', [500_010, 500_011]],
    ['AS500010:AS-CUSTOMERS', [500_010, 500_011]],
    ['RIPE::AS-KESTREL', [500_010, 500_011]],
  ])('%s is expanded with the sets within it', async (name, asns) => {
    expect(await (await laboratory()).expandAsSet(name)).toEqual({ asns, truncated: false })
  })

  it('that no registry has are null, and not empty', async () => {
    const irr = await laboratory()
    expect(await irr.expandAsSet('AS-NOBODY')).toBeNull()
    expect(await irr.expandAsSet('RADB::AS-KESTREL')).toBeNull()
  })

  it('that exist without members are empty', async () => {
    const { port } = await madeUp(() => 'C\n')
    expect(await ask(port).expandAsSet('AS-EMPTY')).toEqual({ asns: [], truncated: false })
  })

  it('of absurd size are cut, and say so', async () => {
    const text = Array.from({ length: 20_000 }, (_, at) => `AS${at + 1}`).join(' ')
    const { port } = await madeUp(() => `A${text.length + 1}\n${text}\nC\n`)
    const set = await ask(port).expandAsSet('AS-WORLD')
    expect(set?.asns).toHaveLength(10_000)
    expect(set?.truncated).toBe(true)
  })

  it.each(['AS-X\n!q', 'AS-X,1', '', 'KESTREL', 'AS-X Y'])(
    'named %j are refused before anything is sent',
    async (name) => {
      const { port, heard } = await madeUp(() => 'C\n')
      await expect(ask(port).expandAsSet(name)).rejects.toMatchObject({ name: 'IrrError', kind: 'protocol' })
      expect(heard).toEqual([])
    },
  )
})

describe('the connection', () => {
  it('asks an equal question once within a minute, also when it comes at the same time', async () => {
    const clock = manualClock('2026-11-20T12:00:00Z')
    const { port, heard } = await madeUp(() => 'D\n')
    const irr = ask(port, { clock })
    const asked = () => heard.filter((command) => command.startsWith('!i')).length
    await Promise.all([irr.expandAsSet('AS-X'), irr.expandAsSet('as-x')])
    await irr.expandAsSet('AS-X')
    expect(asked()).toBe(1)
    clock.advance(60_000)
    await irr.expandAsSet('AS-X')
    expect(asked()).toBe(2)
  })

  it('does not keep a failure', async () => {
    let broken = true
    const { port } = await madeUp(() => (broken ? 'F try later\n' : 'D\n'))
    const irr = ask(port)
    await expect(irr.expandAsSet('AS-X')).rejects.toThrow(/try later/)
    broken = false
    expect(await irr.expandAsSet('AS-X')).toBeNull()
  })

  it('is opened again when the server had closed it', async () => {
    const { port } = await madeUp((command, socket) => {
      if (command === '!iAS-FIRST,1') setImmediate(() => socket.end())
      return 'D\n'
    })
    const irr = ask(port)
    await irr.expandAsSet('AS-FIRST')
    expect(await irr.expandAsSet('AS-SECOND')).toBeNull()
  })

  it('gives each of many questions its own answer', async () => {
    const { port } = await madeUp((command) => {
      const text = `AS${/(\d+)/.exec(command)![1]}`
      return `A${text.length + 1}\n${text}\nC\n`
    })
    const irr = ask(port)
    const sets = await Promise.all(Array.from({ length: 300 }, (_, at) => irr.expandAsSet(`AS-N${at + 1}`)))
    expect(sets.map((set) => set?.asns)).toEqual(sets.map((_, at) => [at + 1]))
  })

  it('gives up on a server that stays silent', async () => {
    const { port } = await madeUp(() => null)
    await expect(ask(port, { deadlineMs: 100 }).expandAsSet('AS-X')).rejects.toMatchObject({ kind: 'timeout' })
  })

  it('lets one caller go without taking the answer from the others', async () => {
    const { port } = await madeUp((_command, socket) => (setTimeout(() => socket.write('D\n'), 50), null))
    const irr = ask(port)
    const others = irr.expandAsSet('AS-X')
    const leaving = new AbortController()
    const left = irr.expandAsSet('AS-X', leaving.signal)
    leaving.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    expect(await others).toBeNull()
  })

  it('says that nobody is there', async () => {
    await expect(ask(1).expandAsSet('AS-X')).rejects.toMatchObject({ kind: 'unreachable' })
  })

  it('is dropped when the server talks of another protocol', async () => {
    const { port } = await madeUp(() => 'HTTP/1.1 400 Bad Request\r\n')
    await expect(ask(port).expandAsSet('AS-X')).rejects.toMatchObject({ kind: 'protocol' })
  })

  it('is dropped, and a new one used, when the server answered what nobody asked', async () => {
    const { port, heard } = await madeUp((command) => (command === '!iAS-X,1' ? 'D\nA4\nAS1\nC\n' : 'D\n'))
    const irr = ask(port)
    await irr.expandAsSet('AS-X')
    expect(await irr.expandAsSet('AS-Y')).toBeNull()
    expect(heard.filter((command) => command === '!nlonghaul')).toHaveLength(2)
  })

  it('refuses sources that are no names', () => {
    expect(() => createIrrd({ host: '127.0.0.1', port: 43, sources: ['RIPE\n!q'] })).toThrow(/names like RIPE/)
  })
})
