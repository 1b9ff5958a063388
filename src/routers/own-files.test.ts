/** The owner's BIRD configuration in `/data/bird.d`, in a real appliance (decision 25). */
import { accountIdOf } from '../platform/db/testing.ts'
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { IMAGE_DIR, libvirtSubject, untilBooted } from '../drivers/hypervisor/conformance-subjects.ts'
import type { GuestChannel } from '../drivers/hypervisor/index.ts'
import { createChangeBus } from '../platform/events.ts'
import { runReconciler } from '../platform/reconcile.ts'
import { hypervisorReconcilers } from './index.ts'
import { createRoutersTestApp } from './testing.ts'

const MINUTES = 60_000
const OWN = '/data/bird.d/own.conf'
const OWN_ROUTE = '192.0.2.0/24'
const own = `protocol static mine {
  ipv4;
  route ${OWN_ROUTE} blackhole;
}
`
const PEER = `router id 10.255.0.2;
protocol device {}
protocol bgp portal {
  local 10.255.0.2 as 65000;
  neighbor 10.255.0.1 as 65010;
  ipv4 { import all; export none; };
}
`
/** A session with a second BIRD inside the guest, and the approved prefixes. */
const contributed = (prefixes: readonly string[]) => ({
  birdConf: `protocol static lh_origin4 {
  ipv4;
${prefixes.map((prefix) => `  route ${prefix} blackhole;`).join('\n')}
}
protocol bgp lh_transit4 {
  local 10.255.0.1 as 65010;
  neighbor 10.255.0.2 as 65000;
  connect retry time 1;
  ipv4 { import all; export where net ~ [ ${[...prefixes, OWN_ROUTE].join(', ')} ]; };
}
`,
  allowedSources: [],
})

const images = await mkdtemp(path.join(tmpdir(), 'longhaul-images-'))
const subject = await libvirtSubject(images)
const hypervisor = subject.skip === null ? await subject.open() : undefined
const testApp = await createRoutersTestApp({ ...(hypervisor && { hypervisor }), seed: { driver: 'libvirt' } })

describe.skipIf(subject.skip !== null)(
  `the files of a router's owner${subject.skip ? `: ${subject.skip}` : ''}`,
  () => {
    const stop = new AbortController()
    const bus = createChangeBus(testApp.deps.log)
    let working: Promise<unknown>
    let guest: GuestChannel
    let uuid = ''
    let id = 0
    let owner: Awaited<ReturnType<typeof testApp.addUser>>

    beforeAll(async () => {
      // QEMU's user reads the kernel.
      await chmod(images, 0o755)
      await cp(path.join(IMAGE_DIR, 'longhaul-appliance'), path.join(images, 'longhaul-appliance'), { recursive: true })
      working = Promise.all(
        hypervisorReconcilers({ ...testApp.deps, pricing: undefined }).map((one) =>
          runReconciler(one, { bus, log: testApp.deps.log, signal: stop.signal }),
        ),
      )
      owner = await testApp.addUser()
      ;({ id, uuid } = await testApp.order(owner.id, { name: 'own-files' }))
      guest = hypervisor!.guest(uuid)
      testApp.contributed.set(id, contributed(['45.30.10.0/24']))
      await configured()
    }, 4 * MINUTES)

    afterAll(async () => {
      stop.abort()
      await working
      if (uuid) await hypervisor?.remove(uuid)
      await subject.close()
      await rm(images, { recursive: true, force: true })
    }, 2 * MINUTES)

    const configuration = async () => (await owner.call('GET', `/api/virtual_machines/${id}`)).body.configuration
    async function configured(): Promise<void> {
      for (;;) {
        const row = await testApp.row(id)
        if (row?.failure_detail) throw new Error(row.failure_detail)
        if ((await configuration()).current) return
        await sleep(250)
      }
    }
    const run = async (...argv: string[]) => {
      const { stdout, stderr } = await guest.exec(argv)
      return stdout + stderr
    }
    const shell = (script: string) => run('/bin/sh', '-c', script)
    const routes = async () => {
      const seen = await run('birdc', 'show', 'route')
      return { portal: [...seen.matchAll(/^(45\.\S+)/gm)].map(([, prefix]) => prefix), own: seen.includes(OWN_ROUTE) }
    }
    const session = async () => /^lh_transit4 .*$/m.exec(await run('birdc', 'show', 'protocols'))?.[0] ?? ''
    /** Seconds. BIRD computes the time again for each answer, so it moves by milliseconds. */
    async function establishedAt(): Promise<number> {
      const [, hours, minutes, seconds] = /(\d\d):(\d\d):(\d\d\.\d+) +Established/.exec(await session()) ?? []
      return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
    }
    /** Does what an approved prefix does. */
    async function approve(...prefixes: string[]): Promise<void> {
      testApp.contributed.set(id, contributed(prefixes))
      bus.receive(JSON.stringify({ type: 'prefix', id: 1, accountId: accountIdOf(owner.id) }))
      await expect.poll(async () => (await routes()).portal, { timeout: MINUTES, interval: 500 }).toEqual(prefixes)
    }
    async function act(action: string, until: 'RUNNING' | 'STOPPED'): Promise<void> {
      const asked = await owner.call('POST', `/api/virtual_machines/${id}/actions`, { action })
      expect(asked.status).toBe(202)
      await expect.poll(() => testApp.stateOf(id), { timeout: 2 * MINUTES, interval: 200 }).toBe(until)
      if (until === 'RUNNING') await untilBooted(guest)
    }
    const loaded = (...portal: string[]) =>
      expect.poll(routes, { timeout: MINUTES, interval: 500 }).toEqual({ portal, own: true })

    it(
      'are loaded beside what the portal wrote, and stay over a change in the portal',
      { timeout: 2 * MINUTES },
      async () => {
        await shell('mkdir -p /data/bird.d')
        await guest.writeFile(OWN, own)
        expect(await run('birdc', 'configure')).toContain('Reconfigured')
        expect(await routes()).toEqual({ portal: ['45.30.10.0/24'], own: true })
        await approve('45.30.10.0/24', '45.30.11.0/24')
        await configured()
        expect(await routes()).toEqual({ portal: ['45.30.10.0/24', '45.30.11.0/24'], own: true })
      },
    )

    it('stay over a reboot and over an image that was built again', { timeout: 5 * MINUTES }, async () => {
      await act('reboot', 'RUNNING')
      await loaded('45.30.10.0/24', '45.30.11.0/24')

      const manifest = path.join(images, 'longhaul-appliance', 'image.json')
      const built = JSON.parse(await readFile(manifest, 'utf8')) as { cmdline: string }
      await writeFile(manifest, JSON.stringify({ ...built, cmdline: `${built.cmdline} built.again` }))
      await act('shutdown', 'STOPPED')
      await act('start', 'RUNNING')
      expect(await run('cat', '/proc/cmdline')).toContain('built.again')
      await loaded('45.30.10.0/24', '45.30.11.0/24')
      expect(await run('cat', OWN)).toBe(own)
    })

    it.each([
      ['a mistake', 'protocol static mine { ipv4 }\n', /own\.conf:1:\d+ syntax error/, '45.30.12.0/24'],
      [
        'a name of the portal',
        'protocol static lh_origin4 { ipv4; }\n',
        /own\.conf.*lh_origin4.*already defined/,
        '45.30.13.0/24',
      ],
      ['a second device protocol', 'protocol device {}\n', /own\.conf.*already defined/, '45.30.14.0/24'],
    ])(
      'are left out, and the error is shown, when they hold %s; no session falls',
      { timeout: 4 * MINUTES },
      async (_, broken, words, prefix) => {
        await guest.writeFile('/run/peer.conf', PEER)
        const said = await shell(
          `ip netns list | grep -q peer || {
      modprobe veth; ip netns add peer && ip link add lan type veth peer name far netns peer &&
      ip addr add 10.255.0.1/30 dev lan && ip link set lan up &&
      ip -n peer addr add 10.255.0.2/30 dev far && ip -n peer link set far up &&
      ip netns exec peer bird -c /run/peer.conf -s /run/peer.ctl; }`.replaceAll(/\bip /g, '/usr/sbin/ip '),
        )
        expect(said).toBe('')
        await expect.poll(session, { timeout: MINUTES, interval: 500 }).toContain('Established')
        const before = await establishedAt()
        await guest.writeFile(OWN, broken)
        await approve(prefix)

        await expect.poll(configuration, { timeout: MINUTES }).toMatchObject({
          current: true,
          error: null,
          ownFilesError: expect.stringMatching(words),
        })
        expect(await establishedAt()).toBeCloseTo(before, 0)
        expect(await routes()).toEqual({ portal: [prefix], own: false })
        expect(await run('cat', OWN)).toBe(broken)
        expect(await run('/usr/sbin/vr-greeting')).toMatch(words)
        const events = await testApp.db
          .selectFrom('audit_events')
          .selectAll()
          .where('action', '=', 'router.own_files_refused')
          .execute()
        expect(events.at(-1)).toMatchObject({
          account_id: accountIdOf(owner.id),
          data: { reason: expect.stringMatching(words) },
        })

        await guest.writeFile(OWN, own)
        await approve('45.30.10.0/24', '45.30.11.0/24')
        await expect.poll(configuration, { timeout: MINUTES }).toMatchObject({ current: true, ownFilesError: null })
        await loaded('45.30.10.0/24', '45.30.11.0/24')
        expect(await establishedAt()).toBeCloseTo(before, 0)
      },
    )

    it(
      'that hold a mistake do not keep BIRD from starting, and are loaded once they are corrected',
      { timeout: 6 * MINUTES },
      async () => {
        await guest.writeFile(OWN, 'protocol static mine { ipv4 }\n')
        await act('reboot', 'RUNNING')
        await expect
          .poll(routes, { timeout: MINUTES, interval: 500 })
          .toEqual({ portal: ['45.30.10.0/24', '45.30.11.0/24'], own: false })
        await expect
          .poll(configuration, { timeout: 2 * MINUTES })
          .toMatchObject({ ownFilesError: expect.stringContaining('syntax error') })
        expect(await run('cat', '/run/bird/fault')).toMatch(/^Your files in \/data\/bird\.d do not load.*syntax error/)
        await guest.writeFile(OWN, own)
        // The portal tries again each minute.
        await expect
          .poll(configuration, { timeout: 2 * MINUTES, interval: 1_000 })
          .toMatchObject({ ownFilesError: null })
        expect(await routes()).toEqual({ portal: ['45.30.10.0/24', '45.30.11.0/24'], own: true })
      },
    )
  },
)
