import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { startIrr } from '../../../../lab/sources/irr.ts'
import { manualClock } from '../../../kernel/clock.ts'
import { parsePrefix } from '../../../kernel/prefix.ts'
import { certificateFor, tlsBefore } from '../../testing-certificate.ts'
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

/** A server that receives commands and returns the test's answers; `null` gives no answer. */
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

  it('route objects that speak of another prefix, or lack half of themselves, are left out', async () => {
    const rpsl = [
      'route: 45.30.10.0/24\norigin: AS1\nsource: RIPE # Filtered',
      'route: 45.30.11.0/24\norigin: AS2\nsource: RIPE',
      'route: 45.30.10.0/24\norigin: nonsense\nsource: RIPE',
      'route: 45.30.10.0/24\norigin: AS3',
      'remarks: route: 45.30.10.0/24\norigin: AS4\nsource: RIPE',
      'route: 45.30.10.1/24\norigin: AS5\nsource: RIPE',
      'route: 45.30.10.0/24\norigin: AS6\nsource: RPKI # a ROA in disguise',
    ].join('\n\n')
    const { port } = await madeUp(() => `A${rpsl.length + 1}\n${rpsl}\nC\n`)
    expect(await ask(port).routeObjects(parsePrefix('45.30.10.0/24'))).toEqual([
      { prefix: '45.30.10.0/24', origin: 1, source: 'RIPE' },
    ])
  })
})

describe('route objects of origins', () => {
  it('are found in every registry that was chosen, for both families', async () => {
    const found = await (await laboratory()).originated([500_011, 500_020])
    expect(found.filter(({ origin }) => origin === 500_011).map(({ prefix, source }) => `${prefix} ${source}`)).toEqual(
      ['45.30.11.0/24 RIPE', '45.30.56.0/24 RIPE'],
    )
    expect(new Set(found.map(({ origin }) => origin))).toEqual(new Set([500_011, 500_020]))
    expect(await (await laboratory()).originated([64_496])).toEqual([])
    expect(await (await laboratory({ sources: ['RADB'] })).originated([500_011])).toEqual([])
  })

  it('are read from a list with what is no prefix left out, and no more than a thousand', async () => {
    const many = Array.from({ length: 1_200 }, (_, n) => `45.${n >> 8}.${n & 255}.0/24`)
    const { port } = await madeUp((command) => {
      const text = command.startsWith('!6') ? '2d10:10::/32 <script> 2d10:10::1/32' : many.join(' ')
      return `A${text.length + 1}\n${text}\nC\n`
    })
    const found = await ask(port, { sources: ['RIPE'] }).originated([1])
    expect(found).toHaveLength(1_001)
    expect(found.at(-1)).toEqual({ prefix: '2d10:10::/32', origin: 1, source: 'RIPE' })
  })

  it('are an error where the server refuses the question', async () => {
    const { port } = await madeUp(() => 'F Too many queries\n')
    await expect(ask(port).originated([1])).rejects.toThrow('refused')
  })
})

/** A lab server with these objects. */
async function registryOf(objects: readonly string[], change: Partial<IrrdOptions> = {}): Promise<IrrSource> {
  const directory = await mkdtemp(join(tmpdir(), 'longhaul-irr-'))
  cleanups.push(() => rm(directory, { recursive: true }))
  const file = join(directory, 'irr.rpsl')
  await writeFile(file, `${objects.join('\n\n')}\n`)
  const server = await startIrr({ file })
  cleanups.push(() => server.close())
  return ask(server.port, { sources: ['RIPE', 'ARIN', 'ALTDB'], ...change })
}

const asSet = (name: string, source: string, members: string, mntBy = 'OWNER-MNT') =>
  `as-set: ${name}\nmembers: ${members}\nmnt-by: ${mntBy}\nsource: ${source}`

const expand = async (irr: IrrSource, name: string) => {
  const answer = await irr.expandAsSet(name)
  return answer.kind === 'found'
    ? answer.members.map(({ asn, weak, path }) => `${asn} ${weak ? 'weak' : 'strong'} ${path.join(' > ')}`)
    : answer
}

describe('AS-SETs', () => {
  it.each([
    ['AS-KESTREL', [500_010, 500_011]],
    ['as-kestrel', [500_010, 500_011]],
    ['AS500010:AS-CUSTOMERS', [500_010, 500_011]],
    ['RIPE::AS-KESTREL', [500_010, 500_011]],
  ])('%s is expanded with the sets within it', async (name, asns) => {
    const set = await (await laboratory()).expandAsSet(name)
    expect(set).toMatchObject({
      kind: 'found',
      object: { source: 'RIPE', maintainers: ['KESTREL-MNT'] },
      members: asns.map((asn) => ({ asn, weak: false })),
      reserved: [],
      truncated: false,
    })
  })

  it('AS-SETs that no registry has are missing, and not empty', async () => {
    const irr = await laboratory()
    expect(await irr.expandAsSet('AS-NOBODY')).toEqual({ kind: 'missing' })
    expect(await irr.expandAsSet('RADB::AS-KESTREL')).toEqual({ kind: 'missing' })
  })

  it('AS-SETs that exist without members are empty', async () => {
    expect(await expand(await registryOf([asSet('AS-EMPTY', 'RIPE', '')]), 'AS-EMPTY')).toEqual([])
  })

  it('AS-SETs of a registry that is not configured are not asked for', async () => {
    const { port, heard } = await madeUp(() => 'C\n')
    expect(await ask(port).expandAsSet('EVIL::AS-X')).toEqual({ kind: 'missing' })
    expect(heard).toEqual([])
  })

  it('take a nested set from the registry of the parent, not from one that a stranger filled first', async () => {
    const irr = await registryOf(
      [
        asSet('AS-INNER', 'ALTDB', 'AS500020', 'STRANGER-MNT'),
        asSet('AS-OUTER', 'RIPE', 'AS500010, AS-INNER'),
        asSet('AS-INNER', 'RIPE', 'AS500011'),
      ],
      { sources: ['ALTDB', 'RIPE'] },
    )
    expect(await expand(irr, 'AS-OUTER')).toEqual([
      '500010 strong RIPE::AS-OUTER',
      '500011 strong RIPE::AS-OUTER > RIPE::AS-INNER',
    ])
  })

  it('mark members of a nested set that only a registry has where anyone may write', async () => {
    const irr = await registryOf([
      asSet('AS-OUTER', 'RIPE', 'AS500010, AS-GAP'),
      asSet('AS-GAP', 'ALTDB', 'AS500020, AS-DEEPER'),
      asSet('AS-DEEPER', 'ALTDB', 'AS500030, AS500010'),
    ])
    expect(await expand(irr, 'AS-OUTER')).toEqual([
      '500010 strong RIPE::AS-OUTER',
      '500020 weak RIPE::AS-OUTER > ALTDB::AS-GAP',
      '500030 weak RIPE::AS-OUTER > ALTDB::AS-GAP > ALTDB::AS-DEEPER',
    ])
  })

  it('mark a member as strong when a longer path to it is through authoritative registries alone', async () => {
    const irr = await registryOf([
      asSet('AS-OUTER', 'RIPE', 'AS-GAP, AS-ONE'),
      asSet('AS-GAP', 'ALTDB', 'AS-SHARED'),
      asSet('AS-ONE', 'RIPE', 'AS-TWO'),
      asSet('AS-TWO', 'RIPE', 'AS-SHARED'),
      asSet('AS-SHARED', 'RIPE', 'AS500020'),
    ])
    expect(await expand(irr, 'AS-OUTER')).toEqual([
      '500020 strong RIPE::AS-OUTER > RIPE::AS-ONE > RIPE::AS-TWO > RIPE::AS-SHARED',
    ])
  })

  it('AS-SETs of one short name in two authoritative registries are not guessed', async () => {
    const irr = await registryOf([asSet('AS-TWICE', 'RIPE', 'AS1'), asSet('AS-TWICE', 'ARIN', 'AS2')])
    expect(await expand(irr, 'AS-TWICE')).toEqual({ kind: 'ambiguous', sources: ['RIPE', 'ARIN'] })
    expect(await expand(irr, 'ARIN::AS-TWICE')).toEqual(['2 strong ARIN::AS-TWICE'])
  })

  it('keep private, reserved and AS0 members apart', async () => {
    const irr = await registryOf([asSet('AS-ODD', 'RIPE', 'AS0, AS64512, AS4294967294, AS500011')])
    expect(await irr.expandAsSet('AS-ODD')).toMatchObject({
      members: [{ asn: 500_011 }],
      reserved: [0, 64_512, 4_294_967_294],
    })
  })

  it('AS-SETs of absurd size or depth are cut, and say so', async () => {
    const wide = Array.from({ length: 20_000 }, (_, at) => `AS${at + 200_000}`).join(', ')
    const deep = Array.from({ length: 30 }, (_, at) => asSet(`AS-D${at}`, 'RIPE', `AS-D${at + 1}, AS${300_000 + at}`))
    const many = Array.from({ length: 700 }, (_, at) => asSet(`AS-M${at}`, 'RIPE', `AS${400_000 + at}`))
    const all = many.map((_, at) => `AS-M${at}`).join(', ')
    const irr = await registryOf([asSet('AS-WORLD', 'RIPE', wide), asSet('AS-MANY', 'RIPE', all), ...deep, ...many])
    const sizeOf = async (name: string) => {
      const set = await irr.expandAsSet(name)
      return set.kind === 'found' ? [set.members.length, set.truncated] : set
    }
    expect(await sizeOf('AS-WORLD')).toEqual([10_000, true])
    expect(await sizeOf('AS-D0')).toEqual([20, true])
    expect(await sizeOf('AS-MANY')).toEqual([499, true])
  })

  it('AS-SETs that the registry answers with another object are missing', async () => {
    const text = 'as-set: AS-OTHER\nmnt-by: X-MNT\nsource: RIPE'
    const { port } = await madeUp(() => `A${text.length + 1}\n${text}\nC\n`)
    expect(await ask(port).expandAsSet('AS-X')).toEqual({ kind: 'missing' })
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

describe('aut-num objects', () => {
  it('are read from each registry with maintainers, sets and providers', async () => {
    const irr = await registryOf([
      [
        'aut-num: AS500011',
        'import: from AS500010 accept ANY',
        'mp-export: to AS500012 # to AS666',
        '+ at 192.0.2.1; to AS500013 announce AS500011',
        'export: to AS500014:AS-PEERS announce AS500011',
        'remarks: export: to AS500015 announce ANY',
        'member-of: AS-ONE,',
        '  as500010:as-customers',
        'mnt-by: MERLIN-MNT, OTHER-MNT',
        'source: RIPE # Filtered',
      ].join('\n'),
      'aut-num: AS500011\nmnt-by: STRANGER-MNT\nexport: to AS666 announce ANY\nsource: ALTDB',
    ])
    expect(await irr.autNums(500_011)).toEqual([
      {
        asn: 500_011,
        source: 'RIPE',
        maintainers: ['MERLIN-MNT', 'OTHER-MNT'],
        memberOf: ['AS-ONE', 'AS500010:AS-CUSTOMERS'],
        providers: [500_010],
      },
      { asn: 500_011, source: 'ALTDB', maintainers: ['STRANGER-MNT'], memberOf: [], providers: [] },
    ])
    expect(await irr.autNums(500_099)).toEqual([])
  })

  it.each<[string, string[], number[]]>([
    ['transit', ['import: from AS1 accept ANY', 'export: to AS1 announce AS9'], [1]],
    ['transit of one family', ['mp-import: afi ipv6.unicast from AS1 accept ANY AND NOT {::/0}'], [1]],
    ['an action and a router', ['import: from AS1 192.0.2.1 at 192.0.2.9 action pref=10; accept any;'], [1]],
    ['two peerings with one filter', ['import: from AS1 action pref=1; from AS2 accept ANY'], [1, 2]],
    ['two clauses', ['import: { from AS1 accept ANY; from AS2 accept AS2; }'], [1]],
    ['a customer', ['import: from AS1 accept AS1', 'export: to AS1 announce ANY'], []],
    ['a customer with a careless filter', ['import: from AS1 accept ANY', 'export: to AS1 announce ANY;'], []],
    ['a peer', ['import: from AS1 accept AS1:AS-ALL', 'export: to AS1 announce AS9'], []],
    ['a part of ANY', ['import: from AS1 accept ANY AND {192.0.2.0/24}'], []],
    ['an exception', ['import: from AS1 accept ANY; except { from AS1 accept {192.0.2.0/24}; }'], []],
    ['a set of neighbors', ['import: from AS1:AS-UP accept ANY', 'import: from AS-UP accept ANY'], []],
    ['a filter by path', ['import: from AS1 accept <^AS1+$>'], []],
    ['another attribute', ['default: to AS1', 'remarks: import: from AS1 accept ANY'], []],
  ])('name as providers only neighbors from which they accept any route: %s', async (_, lines, providers) => {
    const irr = await registryOf([['aut-num: AS9', ...lines, 'source: RIPE'].join('\n')])
    expect((await irr.autNums(9)).map((autNum) => autNum.providers)).toEqual([providers])
  })

  it('count for no registry that the server does not have', async () => {
    const irr = await registryOf(['aut-num: AS1\nsource: RIPE'], { sources: ['RIPE', 'APNIC'] })
    expect((await irr.autNums(1)).map(({ source }) => source)).toEqual(['RIPE'])
  })
})

describe('the connection', () => {
  it('asks an equal question once within a minute, also when it comes at the same time', async () => {
    const clock = manualClock('2026-11-20T12:00:00Z')
    const { port, heard } = await madeUp(() => 'D\n')
    const irr = ask(port, { clock })
    const asked = () => heard.filter((command) => command === '!mas-set,AS-X').length
    await Promise.all([irr.expandAsSet('AS-X'), irr.expandAsSet('as-x')])
    await irr.expandAsSet('AS-X')
    expect(asked()).toBe(2) // once in each of two registries
    clock.advance(60_000)
    await irr.expandAsSet('AS-X')
    expect(asked()).toBe(4)
  })

  it('does not keep a failure', async () => {
    let broken = true
    const { port } = await madeUp(() => (broken ? 'F try later\n' : 'D\n'))
    const irr = ask(port)
    await expect(irr.expandAsSet('AS-X')).rejects.toThrow(/try later/)
    broken = false
    expect(await irr.expandAsSet('AS-X')).toEqual({ kind: 'missing' })
  })

  it('is opened again when the server had closed it', async () => {
    const { port } = await madeUp((command, socket) => {
      if (command === '!r45.30.10.0/24,L') setImmediate(() => socket.end())
      return 'D\n'
    })
    const irr = ask(port)
    await irr.routeObjects(parsePrefix('45.30.10.0/24'))
    expect(await irr.routeObjects(parsePrefix('45.30.11.0/24'))).toEqual([])
  })

  it('gives each of many questions its own answer', async () => {
    const { port } = await madeUp((command) => {
      const [, third] = /^!r45\.30\.(\d+)\.0/.exec(command)!
      const text = `route: 45.30.${third}.0/24\norigin: AS${third}\nsource: RIPE`
      return `A${text.length + 1}\n${text}\nC\n`
    })
    const irr = ask(port)
    const prefixes = Array.from({ length: 250 }, (_, at) => parsePrefix(`45.30.${at + 1}.0/24`))
    const found = await Promise.all(prefixes.map((prefix) => irr.routeObjects(prefix)))
    expect(found.map(([object]) => object?.origin)).toEqual(found.map((_, at) => at + 1))
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
    expect(await others).toEqual({ kind: 'missing' })
  })

  it('says that no one is there', async () => {
    await expect(ask(1).expandAsSet('AS-X')).rejects.toMatchObject({ kind: 'unreachable' })
  })

  it('is dropped when the server talks of another protocol', async () => {
    const { port } = await madeUp(() => 'HTTP/1.1 400 Bad Request\r\n')
    await expect(ask(port).expandAsSet('AS-X')).rejects.toMatchObject({ kind: 'protocol' })
  })

  it('is dropped, and a new one used, when the server answered what no one asked', async () => {
    const { port, heard } = await madeUp((command) => (command === '!r45.30.10.0/24,L' ? 'D\nA4\nAS1\nC\n' : 'D\n'))
    const irr = ask(port)
    await irr.routeObjects(parsePrefix('45.30.10.0/24'))
    expect(await irr.routeObjects(parsePrefix('45.30.11.0/24'))).toEqual([])
    expect(heard.filter((command) => command === '!nlonghaul')).toHaveLength(2)
  })

  it('refuses sources that are no names, and none at all', () => {
    expect(() => createIrrd({ host: '127.0.0.1', port: 43, sources: [] })).toThrow(/names like RIPE/)
    expect(() => createIrrd({ host: '127.0.0.1', port: 43, sources: ['RIPE\n!q'] })).toThrow(/names like RIPE/)
  })
})

describe('over TLS', () => {
  const PREFIX = parsePrefix('45.30.12.0/24')
  const behind = async (cert: string) => {
    const plain = await startIrr({ file: DATA })
    const server = await tlsBefore(plain.port, cert)
    cleanups.push(() => plain.close(), server.close)
    return { plain: plain.port, encrypted: server.port }
  }

  it('the server answers where its certificate names it', async () => {
    const ca = await certificateFor('127.0.0.1')
    const irr = ask((await behind(ca)).encrypted, { tls: true, ca })
    expect(await irr.routeObjects(PREFIX)).toEqual(await (await laboratory()).routeObjects(PREFIX))
  })

  it('nothing is asked of a server with the certificate of another, of no one known, or without TLS', async () => {
    const [ca, other] = [await certificateFor('127.0.0.1'), await certificateFor('192.0.2.1')]
    const { plain, encrypted } = await behind(other)
    const refused = (port: number, tls: Partial<IrrdOptions>, message: RegExp) =>
      expect(ask(port, { tls: true, deadlineMs: 2_000, ...tls }).routeObjects(PREFIX)).rejects.toThrow(message)
    await refused(encrypted, { ca: other }, /altnames/)
    await refused(encrypted, {}, /self-signed certificate/)
    await refused(plain, { ca }, /./)
  })
})
