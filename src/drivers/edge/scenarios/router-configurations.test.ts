/** The configurations that the portal shows, pasted unchanged into real routers, and again without their comments. */
import { execFile } from 'node:child_process'
import { access, chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { LAB, openbgpdSkipReason } from '../../../../lab/network/index.ts'
import { ip } from '../../../../lab/network/ip.ts'
import { ensureOpenbgpd } from '../../../../lab/network/openbgpd-daemon.ts'
import { because, customerOf, eventually, skipReason, startScenario, stateOf, type Scenario } from './scenario.ts'
import { attachHost, type Host } from './speaker.ts'

interface Dialects {
  readonly configurations: (peering: object) => readonly { readonly label: string; readonly text: string }[]
}
/** Imported by URL: its types belong to the browser's project. */
const DIALECTS = new URL('../../../transit/portal/dialects/index.ts', import.meta.url).href
const { configurations } = (await import(DIALECTS)) as Dialects

const run = promisify(execFile)
const FRR = '/usr/lib/frr'
const frrMissing = await access(`${FRR}/bgpd`).then(
  () => false,
  () => true,
)

const bgpdMissing = (await openbgpdSkipReason()) !== null

const ASN = 500_010
const PREFIXES = { 4: '45.30.10.0/24', 6: '2d10:10::/32' } as const
const BLACKHOLES = { 4: '45.30.10.7/32', 6: '2d10:10::7/128' } as const

describe.skipIf(skipReason)(`a router configuration of the portal, pasted verbatim${because}`, () => {
  let scenario: Scenario | undefined
  let host: Host | undefined
  afterEach(async () => {
    await host?.stop()
    await scenario?.stop()
  })

  const text = (label: string, bfd = false) => {
    const family = (version: 4 | 6) => ({
      family: version,
      own: host!.own[version],
      edge: LAB.segment[version].gateway,
      bfd,
      originated: [PREFIXES[version]],
      allowed: [PREFIXES[version]],
    })
    const peering = { customerAsn: ASN, operatorAsn: LAB.operatorAsn, routerId: host!.own[4], signed: false }
    return configurations({ ...peering, families: [family(4), family(6)] }).find((one) => one.label === label)!.text
  }
  const begin = async () => {
    scenario = await startScenario()
    host = await attachHost(scenario.network, scenario.directory, { host: 10 })
    const accept = Object.values(PREFIXES).map((prefix) => ({ prefix, origin: ASN }))
    const speaker = { neighbors: host.neighbors } as Parameters<typeof customerOf>[0]
    apply = (bfd) => {
      const neighbors = host!.neighbors.map((neighbor) => ({ ...neighbor, bfd }))
      return scenario!.edge.apply(stateOf(customerOf(speaker, { id: 10, asn: ASN, accept, neighbors })))
    }
    await apply(false)
  }
  let apply: (bfd: boolean) => Promise<unknown>
  const bfdIsUp = () =>
    eventually(async () => {
      const sessions = await scenario!.edge.sessions()
      expect(sessions.map(({ state, bfd }) => [state, bfd])).toEqual([
        ['ESTABLISHED', 'UP'],
        ['ESTABLISHED', 'UP'],
      ])
    }, 60_000)
  const atUpstream = (check: (routes: ReadonlyMap<string, string>) => void) =>
    eventually(async () => check(await scenario!.atUpstream()), 60_000)
  const announced = (routes: ReadonlyMap<string, string>, more: readonly string[] = []) =>
    expect([...routes.keys()].sort()).toEqual([...Object.values(PREFIXES), ...more].sort())
  const carriesCommunities = (routes: ReadonlyMap<string, string>) => {
    announced(routes, Object.values(BLACKHOLES))
    for (const address of Object.values(BLACKHOLES)) expect(routes.get(address)).toContain('(65535,666)')
    for (const prefix of Object.values(PREFIXES))
      expect(routes.get(prefix)).toContain(`BGP.as_path: 500000 500000 500000 ${ASN}\n`)
  }

  test(
    'announces from BIRD, and carries a prepend and a blackhole once uncommented',
    { timeout: 120_000 },
    async () => {
      await begin()
      const conf = join(host!.files, 'bird.conf')
      await writeFile(conf, text('BIRD 2'))
      const bird = (command: string) => run('birdc', ['-s', host!.socket, command])
      await ip('netns', 'exec', host!.namespace, 'bird', '-c', conf, '-s', host!.socket)
      await atUpstream((routes) => announced(routes))
      await writeFile(conf, text('BIRD 2').replaceAll(/# (?=route |if net)/g, ''))
      expect((await bird('configure')).stdout).toContain('Reconfigured')
      await atUpstream(carriesCommunities)
      await apply(true)
      await writeFile(conf, text('BIRD 2', true))
      expect((await bird('configure')).stdout).toContain('Reconfigured')
      await bfdIsUp()
    },
  )

  test.skipIf(frrMissing)(
    'announces from FRR, and carries a prepend and a blackhole once uncommented',
    { timeout: 120_000 },
    async () => {
      await begin()
      const sockets = join(host!.files, 'frr')
      await mkdir(sockets, { mode: 0o777 })
      const { stdout: uid } = await run('id', ['-u', 'frr'])
      const { stdout: gid } = await run('id', ['-g', 'frr'])
      await chown(sockets, Number(uid), Number(gid))
      for (const path of [scenario!.directory, host!.files]) await run('chmod', ['a+rx', path])
      const files = ['-f', '/dev/null', '--vty_socket', sockets, '-z', join(sockets, 'zserv.api')]
      for (const daemon of ['zebra', 'staticd', 'bfdd', 'bgpd'])
        await ip(
          'netns',
          'exec',
          host!.namespace,
          join(FRR, daemon),
          '-d',
          ...files,
          '-i',
          join(sockets, `${daemon}.pid`),
        )
      const load = async (config: string) => {
        await writeFile(join(host!.files, 'frr.conf'), `${config}\n`)
        await run('vtysh', ['--vty_socket', sockets, '-f', join(host!.files, 'frr.conf')])
      }
      await load(text('FRR'))
      await atUpstream((routes) => announced(routes))
      const hosts = ([4, 6] as const).flatMap((version) => [
        ` address-family ipv${version} unicast`,
        `  network ${BLACKHOLES[version]}`,
        ' exit-address-family',
      ])
      const uncommented = text('FRR').replaceAll(/^( ?)! (?=ip |ipv6 |set )/gm, '$1')
      await load([uncommented, `router bgp ${ASN}`, ...hosts].join('\n'))
      await atUpstream(carriesCommunities)
      await apply(true)
      await load(text('FRR', true))
      await bfdIsUp()
    },
  )

  test.skipIf(bgpdMissing)(
    'announces from OpenBGPD, and carries a prepend and a blackhole once uncommented',
    { timeout: 120_000 },
    async () => {
      await begin()
      const { namespace, files: directory, socket } = host!
      const load = (config: string) =>
        // Several instances on one machine need separate sockets.
        ensureOpenbgpd({ namespace, directory, socket, conf: `socket "${socket}"\n${config}\n` })
      await load(text('OpenBGPD'))
      await atUpstream((routes) => announced(routes))
      await load(text('OpenBGPD').replaceAll(/^# (?=match |network |allow )/gm, ''))
      await atUpstream(carriesCommunities)
    },
  )
})
