/**
 * Runs the manual's commands that change a machine as they are written, in a private view of this one
 * (manual/private-root.ts). Packages and Node.js are not downloaded, and no service is started; everything else is
 * done.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startIrr } from '../lab/sources/irr.ts'
import { startRdap } from '../lab/sources/rdap.ts'
import { startRtr } from '../lab/sources/rtr.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { findSystemPostgres, withSystemPostgres } from './checks/system-postgres.ts'
import { block, ROOT } from './manual/documents.ts'
import { findFreePort } from './dev/free-port.ts'
import { openPrivateRoot, privateRootLacks, type PrivateRoot } from './manual/private-root.ts'
import { ensurePortal } from './portal.ts'

const system = await findSystemPostgres()
const REQUIRED = [
  '/usr/bin/sudo',
  '/usr/bin/git',
  '/usr/bin/npm',
  '/usr/bin/systemd-sysusers',
  '/usr/sbin/bird',
  '/usr/sbin/bgpd',
]
const missing = REQUIRED.filter((file) => !existsSync(file))
const LACKS =
  privateRootLacks(ROOT) ||
  (missing.length > 0 ? ` (skipped: ${missing.join(', ')} is not installed)` : '') ||
  (typeof system === 'string' ? ` (skipped: PostgreSQL of the system: ${system})` : '')

const folder = mkdtempSync(path.join(tmpdir(), 'longhaul-host-'))
const ORIGIN = path.join(folder, 'origin')
const RELEASE = 'v9.9.9'
let root: PrivateRoot

describe.skipIf(LACKS !== '')(`the commands for a machine${LACKS}`, { timeout: 240_000 }, () => {
  beforeAll(async () => {
    await ensurePortal(() => undefined)
    makeOrigin()
    root = await openPrivateRoot(ROOT)
    await root.run('mkdir -p /etc/sudoers.d && rm -rf /opt/longhaul /var/lib/longhaul')
  })
  afterAll(async () => {
    await root?.end()
    rmSync(folder, { recursive: true, force: true })
  })

  test('install the portal', async () => {
    await root.run(block('docs/operate.md: apt-get install').replace('<repository>', `file://${ORIGIN}`))
    expect(await root.run('id longhaul')).toMatch(/libvirt.*bird|bird.*libvirt/)
    expect(await root.run('stat --format "%a %U %G" /etc/longhaul/longhaul.env /var/lib/longhaul/data')).toBe(
      '640 root longhaul\n700 longhaul longhaul\n',
    )
    expect(await root.run('cd /opt/longhaul && readlink -f node_modules/.bin/node')).toBe('/usr/local/bin/node\n')
    expect(await root.run('cd /opt/longhaul && node_modules/.bin/node --version')).toMatch(/^v24\./)
  })

  test('let systemd enable the portal, also on a further host and a further edge', async () => {
    await root.run('systemctl enable --now longhaul@all')
    for (const beginning of ['docs/operate.md: install -m 0600', 'docs/edge.md: install -m 0600'])
      await root.run(`cd /opt/longhaul\n${block(beginning)}`)
    expect(await root.run('ls /etc/systemd/system/multi-user.target.wants | grep longhaul')).toBe(
      'longhaul-agent@edge.service\nlonghaul-agent@hypervisor.service\nlonghaul@all.service\n',
    )
    for (const role of ['edge', 'hypervisor'])
      expect(await root.run(`stat --format "%a %G" /etc/longhaul/agent-${role}.env`)).toBe('600 root\n')
  })

  test('let an agent beside the portal read nothing of it', async () => {
    const secrets = ['/etc/longhaul/longhaul.env', '/etc/longhaul/agent-edge.env', '/var/lib/longhaul/data/secret-key']
    await root.run('install -m 0644 -o longhaul /dev/null /var/lib/longhaul/data/secret-key')
    for (const role of ['edge', 'hypervisor']) {
      const unit = await root.run(`cat /etc/systemd/system/longhaul-agent@.service`)
      const groups = await root.run(`cat /etc/systemd/system/longhaul-agent@${role}.service.d/groups.conf`)
      const user = settingOf(unit, 'User')
      const own = (await root.run(`id --groups --name ${user}`)).trim().split(' ')
      const all = [...own, ...settingOf(groups, 'SupplementaryGroups').split(' ')]
      expect([user, ...all]).toEqual(['longhaul-agent', 'longhaul-agent', role === 'edge' ? 'bird' : 'libvirt'])
      const become = `setpriv --reuid=${user} --regid=${own[0]} --groups=${all.join(',')}`
      expect(await root.run(`cd / && ${become} cat /opt/longhaul/package.json`)).toContain('"longhaul"')
      for (const secret of secrets)
        expect(await root.run(`cd / && ! ${become} cat ${secret}`)).toContain('Permission denied')
      expect(await root.run(`cd / && ! ${become} ls /var/lib/longhaul/data`)).toContain('Permission denied')
    }
  })

  test('prepare the directory of the edge before BIRD starts', async () => {
    await root.run(
      `cd /opt/longhaul && install -D -m 0644 -t /etc/systemd/system/bird.service.d deploy/bird.service.d/*`,
    )
    const [, command = ''] =
      /^ExecStartPre=\+(.+)$/m.exec(await root.run('cat /etc/systemd/system/bird.service.d/longhaul.conf')) ?? []
    await root.run(command)
    expect(await root.run('ls /etc/bird/longhaul/live')).toContain('policy.conf')
    // BIRD writes there, and the portal and an agent read it through the group.
    expect(await root.run('stat --format "%a %U %G" /var/log/bird')).toBe('750 bird bird\n')
  })

  test('prepare the directory of an OpenBGPD before it starts', async () => {
    await root.run(`cd /opt/longhaul\n${block('docs/edge.md: install -d -o root')}`)
    expect(await root.run('stat --format "%a %U %G" /etc/openbgpd/longhaul')).toBe('2750 root _openbgpd\n')
    const [, command = ''] =
      /^ExecStartPre=\+(.+)$/m.exec(await root.run('cat /etc/systemd/system/openbgpd.service.d/longhaul.conf')) ?? []
    await root.run(`sed 's#^EDGE=.*#EDGE=openbgpd#; s#^EDGE_DIRECTORY=.*#EDGE_DIRECTORY=/etc/openbgpd/longhaul#' \
      -i /etc/longhaul/agent-edge.env && ${command}`)
    expect(await root.run('ls /etc/openbgpd/longhaul/live')).toContain('policy.conf')
  })

  test('try every service that the settings name', async () => {
    if (typeof system === 'string') return
    await withServices(system, async (settings) => {
      const alias = block('docs/first-steps.md: alias longhaul')
      const check = block('docs/first-steps.md: longhaul config check')
      const script = `shopt -s expand_aliases\n${alias}\n${check}`
      await root.run(`cat >> /etc/longhaul/longhaul.env <<'END'\n${settings.join('\n')}\nEND`)
      const printed = await root.run(script)
      expect(printed).not.toMatch(/^fails/m)
      for (const name of ['settings', 'database', 'clock', 'RPKI', 'IRR', 'RDAP', 'mail', 'payments'])
        expect(printed).toMatch(new RegExp(`^works +${name}`, 'm'))
      expect(
        await root.run(`shopt -s expand_aliases\n${alias}\n${block('docs/first-steps.md: longhaul backup')}`),
      ).toMatch(/^Wrote \d+ rows .*\/var\/lib\/longhaul\/backups\/.*entries verified/s)
    })
  })

  test('replace the release', async () => {
    const upgrade = block('docs/operate.md: cd /opt/longhaul')
    const units = ['longhaul@', 'longhaul-agent@', 'longhaul-backup'].map(
      (name) => `/etc/systemd/system/${name}.service`,
    )
    const files = [...units, '/usr/lib/sysusers.d/longhaul.conf']
    await root.run(`for file in ${files.join(' ')}; do echo '# old' >> $file; done`)
    const birdUnit = '/etc/systemd/system/bird.service.d/longhaul.conf'
    await root.run(`sed -i 's/ 64500 / 64501 /' ${birdUnit}`)
    await root.run(upgrade.replace('<release>', RELEASE))
    expect(await root.run('git -C /opt/longhaul describe --tags')).toBe(`${RELEASE}\n`)
    expect(await root.run(`! grep --files-with-matches '# old' ${files.join(' ')}`)).toBe('')
    // The operator's AS number is in it.
    expect(await root.run(`cat ${birdUnit}`)).toContain(' 64501 ')
    for (const unit of units.filter((name) => name.includes('@')))
      expect(upgrade).toMatch(new RegExp(`^systemctl restart .*'${path.basename(unit, '.service')}\\*'`, 'm'))
  })

  test('take the installation away', async () => {
    const [stop, disable, preview, remove] = block('docs/operate.md: systemctl stop').trim().split('\n')
    const setup = 'cd /opt/longhaul; touch /var/lib/longhaul/data/installation\n'
    await root.run(`${setup}${stop}\n${disable}`)
    expect(await root.run('ls /etc/systemd/system/multi-user.target.wants | grep longhaul || true')).toBe('')
    // The preview exits with 1, because it did not do what the command is for.
    expect(await root.run(`${setup}{ ${preview}\n} || true`)).toContain('Nothing was removed.')
    await root.run(`${setup}${remove}`)
    expect(await root.run('ls -A /var/lib/longhaul')).not.toContain('data')
  })
})

const settingOf = (unit: string, name: string): string => new RegExp(`^${name}=(.+)$`, 'm').exec(unit)?.[1] ?? ''

/** Makes a repository of the current files with a later release, which the manual's clone needs. */
function makeOrigin(): void {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=Manual', '-c', 'user.email=manual@example.net', ...args], {
      cwd: existsSync(ORIGIN) ? ORIGIN : ROOT,
      encoding: 'utf8',
      stdio: 'pipe',
    })
  const without = new Set(['node_modules', 'data', 'dist', '.git', 'bench/results'])
  cpSync(ROOT, ORIGIN, { recursive: true, filter: (source) => !without.has(path.relative(ROOT, source)) })
  git('init', '--quiet')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'first')
  git('commit', '--quiet', '--allow-empty', '--message', 'second')
  git('tag', '--annotate', RELEASE, '--message', 'release')
}

async function withServices(
  postgres: Exclude<typeof system, string>,
  work: (settings: readonly string[]) => Promise<void>,
): Promise<void> {
  const data = path.join(ROOT, 'lab/data')
  const [rtr, irr, rdap] = await Promise.all([
    startRtr({ file: path.join(data, 'vrps.json') }),
    startIrr({ file: path.join(data, 'irr.rpsl') }),
    startRdap({ file: path.join(data, 'rdap.json') }),
  ])
  const mail = new SMTPServer({ authOptional: true, disabledCommands: ['AUTH', 'STARTTLS'] })
  mail.listen(0, '127.0.0.1')
  const port = await findFreePort('127.0.0.1')
  try {
    await withSystemPostgres(postgres, `-c listen_addresses=127.0.0.1 -c port=${port} -c fsync=off`, async () => {
      const database = `postgres://tests@127.0.0.1:${port}/postgres`
      await migrate(database)
      const { port: smtp } = mail.server.address() as AddressInfo
      await work([
        `DATABASE_URL=${database}`,
        `SECRET_KEY=${'k'.repeat(64)}`,
        'COMPUTE=simulated',
        'EDGE=simulated',
        'OPERATOR_ASN=500000',
        `RTR_SERVER=127.0.0.1:${rtr.port}`,
        `IRR_SERVER=127.0.0.1:${irr.port}`,
        `RDAP_URL=http://127.0.0.1:${rdap.port}`,
        `SMTP_URL=smtp://127.0.0.1:${smtp}`,
        'PAYMENTS=test',
      ])
    })
  } finally {
    await Promise.all([rtr.close(), irr.close(), rdap.close()])
    mail.close(() => undefined)
  }
}
