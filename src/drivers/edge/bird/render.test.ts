import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EdgeError, type EdgeCustomer } from '../index.ts'
import { GOLDEN } from '../testing/golden.ts'
import { desiredState, hostileState } from '../testing/states.ts'
import { customerFile, renderEdge, renderEmptyEdge, type RenderedEdge } from './render.ts'
import { ConfigSlots } from '../slots.ts'

const run = promisify(execFile)
const birdMissing = await run('bird', ['--version']).then(
  () => false,
  () => true,
)

const { kestrel, suspended, shut, controlled, staticOnly, state } = GOLDEN

const fileOf = (customer: EdgeCustomer, ...others: EdgeCustomer[]): string =>
  renderEdge({ ...state, customers: [customer, ...others] }).files.get(customerFile(customer))!

describe('a desired state becomes files', () => {
  test.each([
    ['two families, a downstream and a more-specific grant', kestrel],
    ['suspended, with a password', suspended],
    ['static prefixes and no session', staticOnly],
    ['shut down with a message, so without its blackhole', shut],
    ['drained, with blackholes, a limit of its own and one session over it', controlled],
  ])('%s', async (_what, customer) => {
    const file = customerFile(customer)
    await expect(renderEdge(state).files.get(file)).toMatchFileSnapshot(`golden/${file.slice('customers/'.length)}`)
  })

  test('the constants of the policy are those of the kernel', async () => {
    const policy = renderEdge(state).files.get('policy.conf')!
    await expect(policy.slice(0, policy.indexOf('# The policy'))).toMatchFileSnapshot('golden/policy-constants.conf')
  })

  test('the order in which a state is told does not matter', () => {
    const shuffled = {
      ...state,
      customers: [suspended, controlled, shut, staticOnly, { ...kestrel, accept: kestrel.accept.toReversed() }],
    }
    expect(renderEdge(shuffled)).toEqual(renderEdge(state))
  })

  test('every difference that matters gives another generation', () => {
    const variants = [
      state,
      { ...state, localAsn: 500_009 },
      { ...state, routerId: '192.0.2.2' },
      { ...state, customers: [kestrel] },
      ...(
        [
          { enabled: false },
          { asn: 500_012 },
          { exports: 'full' },
          { password: 'another' },
          { enabled: false, shutdownMessage: 'one' },
          { enabled: false, shutdownMessage: 'another' },
          { blackholes: ['45.30.10.7/32'] },
          { drained: true },
          { neighbors: kestrel.neighbors.map((one) => ({ ...one, receiveLimit: 999 })) },
          { neighbors: kestrel.neighbors.map((one) => ({ ...one, overLimit: true })) },
          { neighbors: kestrel.neighbors.map((one) => ({ ...one, bfd: true })) },
          { accept: kestrel.accept.slice(1) },
        ] as const
      ).map((change) => ({ ...state, customers: [{ ...kestrel, ...change }] })),
    ]
    expect(new Set(variants.map((variant) => renderEdge(variant).generation)).size).toBe(variants.length)
  })

  test('one customer more leaves the files of the others as they were', () => {
    const [few, many] = [renderEdge({ ...state, customers: [kestrel] }), renderEdge(state)]
    // Another customer has BFD on.
    for (const [path, content] of few.files)
      if (!['generation.conf', 'bfd.conf'].includes(path)) expect(many.files.get(path)).toBe(content)
  })

  test.each(['full', 'default-and-full'] as const)(
    'who is sent a full table (%s) is on the master table',
    (exports) => {
      expect(fileOf({ ...kestrel, exports })).not.toContain('table lh_shard')
    },
  )

  test('customers with the default route alone share a table of their shard, the same in every state, with a pipe to the master', () => {
    const alone = { ...kestrel, exports: 'default' } as const
    const text = fileOf(alone)
    for (const family of [4, 6]) {
      expect(text).toContain(`  ipv${family} {\n    table lh_shard10_v${family};\n`)
      const policy = renderEdge({ ...state, customers: [] }).files.get('policy.conf')!
      expect(policy).toContain(`
ipv${family} table lh_shard10_v${family};
protocol pipe lh_pipe10_v${family} {
  table master${family};
  peer table lh_shard10_v${family};
`)
    }
    expect(fileOf(alone, suspended, staticOnly)).toBe(text)
    expect(fileOf({ ...alone, id: 42 })).toContain('table lh_shard10_v4;')
  })

  test('runs BFD while a session has it on, and not otherwise', () => {
    expect(renderEdge(state).files.get('bfd.conf')).toContain('protocol bfd lh_bfd {')
    expect(renderEdge({ ...state, customers: [kestrel] }).files.get('bfd.conf')).not.toContain('protocol')
  })
})

describe('a state that cannot be expressed is refused', () => {
  test.each<[string, Partial<EdgeCustomer> & Record<string, unknown>]>([
    ['host bits', { accept: [{ prefix: '45.30.10.1/24', origin: 1 }] }],
    ['the default route', { accept: [{ prefix: '0.0.0.0/0', origin: 1 }] }],
    ['a quote in a password', { password: 'a"b' }],
    ['a backslash in a password', { password: 'a\\b' }],
    ['an empty password', { password: '' }],
    ['a quote in a shutdown message', { shutdownMessage: 'a "word"' }],
    ['a backslash in a shutdown message', { shutdownMessage: 'a\\b' }],
    ['a line break in a shutdown message', { shutdownMessage: 'a\nb' }],
    ['a control character in a shutdown message', { shutdownMessage: 'a\u0007b' }],
    ['a shutdown message of 129 bytes', { shutdownMessage: `${'ü'.repeat(64)}x` }],
    ['a blackhole that is a network', { blackholes: ['45.30.10.0/24'] }],
    ['a limit of zero', { neighbors: kestrel.neighbors.map((one) => ({ ...one, receiveLimit: 0 })) }],
    ['a password of 81', { password: 'x'.repeat(81) }],
    [
      'a line break in an address',
      { neighbors: [{ family: 4, localAddress: '203.0.113.1', peerAddress: '203.0.113.2\n' }] },
    ],
    [
      'a family that is not the address',
      { neighbors: [{ family: 6, localAddress: '203.0.113.1', peerAddress: '203.0.113.2' }] },
    ],
    [
      'a session with ourselves',
      { neighbors: [{ family: 4, localAddress: '203.0.113.1', peerAddress: '203.0.113.1' }] },
    ],
    ['two sessions of a family', { neighbors: [...kestrel.neighbors, ...kestrel.neighbors] }],
    ['a next hop of the other family', { statics: [{ prefix: '2d10:40::/32', nextHop: '203.0.113.40' }] }],
    ['an AS number of 33 bits', { asn: 2 ** 32 }],
    ['AS0', { asn: 0 }],
    ['our own AS number', { asn: 500_000 }],
    ['a number with a fraction', { id: 1.5 }],
    ['a number of seven digits', { id: 1_000_000 }],
    ['an unknown export', { exports: 'all; };' as never }],
  ])('%s', (_what, change) => {
    const broken = { ...state, customers: [{ ...kestrel, ...change }] }
    expect(() => renderEdge(broken)).toThrow(expect.objectContaining({ kind: 'refused' }) as Error)
  })

  test('the refusal names the value and never repeats a password', () => {
    const render = () => renderEdge({ ...state, customers: [{ ...kestrel, password: 'tell "nobody"' }] })
    expect(render).toThrow(/customer 10 password/)
    expect(render).not.toThrow(/nobody/)
  })
})

/** The only lines that a customer's file may contain. Values appear only as numbers, addresses and prefixes. */
const PREFIX = String.raw`[0-9a-f.:]+/\d+`
const HOSTS = String.raw`[0-9a-f.:]+/\d+\{(32,32|128,128)\}`
const ROA_CHECK = String.raw`roa_check\(rpki[46], ${PREFIX}, \d+\) != ROA_UNKNOWN`
const LINES = [
  String.raw`# Generated by Longhaul: customer \d+, AS\d+`,
  String.raw`function lh_c\d+_in[46]\(\) \{`,
  String.raw`  bgp_community\.filter\(\[ (\(\d+, \*\), )*\(65535, \*\) \]\);`,
  String.raw`  bgp_large_community\.filter\(\[ \(LH_ASN, \*, \*\)(, \(\d+, \*, \*\))+ \]\);`,
  String.raw`  unset\(bgp_ext_community\);`,
  String.raw`  case bgp_path\.last \{`,
  String.raw`    \d+: return lh_customer_in\(\d+, \d+, true, net ~ \[ ${PREFIX}(, ${PREFIX})* \], net ~ \[ ${HOSTS}(, ${HOSTS})* \], (true|false|net ~ \[ ${PREFIX}(, ${PREFIX})* \])\);`,
  String.raw`    else: return lh_customer_in\(\d+, \d+, false, false, false, false\);`,
  String.raw`function lh_c\d+_in[46]\(\) \{ return lh_customer_in\(\d+, \d+, false, false, false, false\); \}`,
  String.raw`protocol bgp lh_c\d+_v[46] from lh_customer[46] \{`,
  String.raw`  disabled;( # over its limit)?`,
  String.raw`  description "[^\p{C}"\\]{1,128}";`,
  String.raw`protocol static lh_b\d+_v[46] \{`,
  String.raw`  ipv[46] \{ table master[46]; import where lh_blackhole\(\d+\); \};`,
  String.raw`  route [0-9a-f.:]+/(32|128) blackhole;`,
  String.raw`  local [0-9a-f.:]+ as LH_ASN;`,
  String.raw`  neighbor [0-9a-f.:]+ as \d+;`,
  '  bfd on;',
  String.raw`  password "[!#-\[\]-~]{1,80}";`,
  String.raw`  ipv[46] \{`,
  String.raw`    table lh_shard\d+_v[46];`,
  String.raw`    import where lh_c\d+_in[46]\(\)( && lh_drain\(\))?;`,
  String.raw`    export where lh_customer_out\((true|false), (true|false)\)( && lh_drain\(\))?;`,
  String.raw`    import limit \d+ action disable;`,
  String.raw`    receive limit \d+ action disable;`,
  String.raw`protocol static lh_s\d+_v[46] \{`,
  String.raw`  ipv[46] \{ table master[46]; import where lh_own\(\); \};`,
  String.raw`  route ${PREFIX} via [0-9a-f.:]+;`,
  String.raw`( *)\}`,
  String.raw`  \};`,
  '# Generated by Longhaul\\.',
  String.raw`function lh_has_vrps\(\) \{`,
  String.raw`  if net\.type = NET_IP4 then return (true|${ROA_CHECK});?`,
  String.raw`  return (true|${ROA_CHECK});?`,
  String.raw`    \|\| ${ROA_CHECK};?`,
  '',
].map((line) => new RegExp(`^${line}$`, 'u'))

test('asks for prefixes of many customers whether the edge has VRPs, and for none of those without a ROA', () => {
  const customer = (id: number, count: number): EdgeCustomer => ({
    ...kestrel,
    id,
    neighbors: [],
    accept: Array.from({ length: count }, (_, n) => ({ prefix: `45.${id}.${n}.0/24`, origin: 1, roa: n !== 1 })),
  })
  const file = renderEdge({ ...state, customers: [customer(1, 20), customer(2, 3), customer(3, 1)] }).files.get(
    'vrps.conf',
  )!
  expect([...file.matchAll(/rpki4, 45\.([0-9.]+)\.0\/24, 1/g)].map(([, which]) => which)).toEqual([
    '1.0',
    '2.0',
    '3.0',
    '1.2',
    '1.3',
    '1.4',
    '1.5',
    '1.6',
  ])
  expect(file).toContain('  return true;')
})

describe('no input breaks out of its place', () => {
  test('whatever text is in a state, it is refused or the file holds nothing but the lines we write', () => {
    let rendered = 0
    const property = fc.property(hostileState, (hostile) => {
      let files: RenderedEdge['files']
      try {
        files = renderEdge(hostile).files
      } catch (error) {
        if (error instanceof EdgeError && error.kind === 'refused') return
        throw error
      }
      rendered++
      for (const [path, content] of files)
        if (path.startsWith('customers/') || path === 'vrps.conf')
          for (const line of content.split('\n'))
            expect(
              LINES.some((form) => form.test(line)),
              line,
            ).toBe(true)
    })
    fc.assert(property, { numRuns: 3000 })
    // If every state were refused, the property would prove nothing.
    expect(rendered).toBeGreaterThan(100)
  })
})

describe.skipIf(birdMissing)(
  `BIRD takes what we render${birdMissing ? ' (skipped: bird2 is not installed)' : ''}`,
  () => {
    let directory: string
    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'lh-render-'))
    })
    afterAll(() => rm(directory, { recursive: true, force: true }))

    const parse = async (rendered: RenderedEdge): Promise<void> => {
      const slots = new ConfigSlots(directory)
      await slots.write('a', rendered.files)
      await slots.activate('a')
      const conf = join(directory, 'bird.conf')
      await writeFile(conf, await documentedConf(directory))
      await run('bird', ['-p', '-c', conf])
    }

    test('inside the bird.conf that the manual shows', async () => {
      await parse(renderEdge(state))
    })

    test('before the first customer', async () => {
      await parse(renderEmptyEdge(state))
    })

    test('no input of any state breaks out of its place', async () => {
      await fc.assert(
        fc.asyncProperty(desiredState, (any) => parse(renderEdge(any))),
        { numRuns: 25 },
      )
    })
  },
)

/** The example of docs/edge.md, with the directories filled in. */
async function documentedConf(directory: string): Promise<string> {
  const manual = await readFile(new URL('../../../../docs/edge.md', import.meta.url), 'utf8')
  const example = /```bird\n(.*?)```/s.exec(manual)![1]!
  return example.replaceAll('/etc/bird/longhaul', directory).replaceAll('/var/log/bird', directory)
}
