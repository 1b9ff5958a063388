/** Validates the examples in deploy/ with the programs that read them. */
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { block, read, ROOT } from './manual/documents.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'longhaul-deploy-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { stdio: 'pipe', encoding: 'utf8', timeout: 60_000 })
/** Finds a program, also where a user's PATH does not look. */
const find = (program: string): string | undefined =>
  ['/usr/sbin', '/usr/bin', '/sbin', '/bin'].map((at) => path.join(at, program)).find((file) => existsSync(file))
const lacking = (program: string): string => (find(program) ? '' : ` (skipped: ${program} is not installed)`)

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })

const NGINX_LACKS = lacking('nginx') || lacking('openssl')

describe.skipIf(NGINX_LACKS !== '')(`deploy/nginx.conf.example${NGINX_LACKS}`, () => {
  test.each(['as it is', 'with a second upstream'])('is taken by nginx, %s', async (form) => {
    const at = mkdtempSync(path.join(folder, 'nginx-'))
    const [key, cert] = [path.join(at, 'key.pem'), path.join(at, 'cert.pem')]
    const subject = ['-subj', '/CN=portal.example.net', '-days', '1']
    run(
      find('openssl')!,
      'req',
      '-x509',
      '-nodes',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-keyout',
      key,
      '-out',
      cert,
      ...subject,
    )
    const example = read('deploy/nginx.conf.example')
      .replace('/etc/ssl/portal.example.net/fullchain.pem', cert)
      .replace('/etc/ssl/portal.example.net/privkey.pem', key)
      .replaceAll(/listen (\[::\]:)?80;/g, `listen $1${await freePort()};`)
      .replaceAll(/listen (\[::\]:)?443 /g, `listen $1${await freePort()} `)
      .replace(form === 'as it is' ? '\0' : '# server 127.0.0.1:8081', 'server 127.0.0.1:8081')
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${at}/${name};`,
    )
    const whole = `pid ${at}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${temporary.join('\n')}\n${example}\n}\n`
    writeFileSync(path.join(at, 'nginx.conf'), whole)
    expect(() => run(find('nginx')!, '-t', '-q', '-p', at, '-c', path.join(at, 'nginx.conf'))).not.toThrow()
  })

  test('answers with the page for outages while no portal answers', async () => {
    const at = mkdtempSync(path.join(folder, 'nginx-'))
    const port = await freePort()
    const server = read('deploy/nginx.conf.example')
      .slice(read('deploy/nginx.conf.example').indexOf('map $http_upgrade'))
      .replace(/server \{\n {2}listen 80;[^}]*\}/, '')
      .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
      .replaceAll(/^ *(listen \[::\]:443|ssl_certificate).*$/gm, '')
      .replace('127.0.0.1:8080', `127.0.0.1:${await freePort()}`)
      .replaceAll('/opt/longhaul', ROOT)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${at}/${name};`,
    )
    const user = process.getuid?.() === 0 ? 'user root;' : ''
    writeFileSync(
      path.join(at, 'nginx.conf'),
      `${user}\ndaemon off;\npid ${at}/pid;\nerror_log stderr crit;\nevents {}\nhttp {\naccess_log off;\n${temporary.join('\n')}\n${server}\n}\n`,
    )
    const nginx = spawn(find('nginx')!, ['-p', at, '-c', path.join(at, 'nginx.conf')], { stdio: 'ignore' })
    try {
      const answer = await vi.waitFor(() => fetch(`http://127.0.0.1:${port}/transit`), { timeout: 10_000 })
      expect(answer.status).toBe(502)
      const page = await answer.text()
      expect(page).toContain('<h1>Service Unavailable</h1>')
      // Anything that it requested would be unavailable as well.
      expect(page).not.toMatch(/\b(src|href)="[^"]/)
    } finally {
      nginx.kill()
    }
  })

  test('drops what a visitor claims about the host, and gathers nothing of the event stream', () => {
    const places = read('deploy/nginx.conf.example')
      .split(/^ {2}location /m)
      .filter((place) => place.includes('proxy_pass'))
    expect(places).toHaveLength(2)
    for (const place of places) {
      expect(place).toContain("proxy_set_header X-Forwarded-Host '';")
      expect(place).toContain("proxy_set_header Forwarded '';")
    }
    expect(places.find((place) => place.startsWith('= /api/events'))).toContain('proxy_buffering off;')
  })
})

const CADDY_LACKS = lacking('caddy')

test.skipIf(CADDY_LACKS !== '')(`caddy takes deploy/Caddyfile.example${CADDY_LACKS}`, () => {
  const example = path.join(ROOT, 'deploy/Caddyfile.example')
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const validate = ['validate', '--adapter', 'caddyfile', '--config', example]
  expect(() => execFileSync(find('caddy')!, validate, { env, stdio: 'pipe', timeout: 60_000 })).not.toThrow()
})

test('the example for caddy hides and drops what the example for nginx does', () => {
  const caddy = read('deploy/Caddyfile.example')
  for (const line of ['respond /metrics 404', 'header_up -X-Forwarded-Host', 'header_up -Forwarded'])
    expect(caddy).toContain(line)
  expect(caddy).toContain('respond /internal/consoles/* 404')
})

const VERIFY_LACKS = lacking('systemd-analyze')

const UNITS = [
  ['longhaul', 'all', 'network.conf'],
  ['longhaul', 'web', ''],
  ['longhaul', 'worker', 'network.conf'],
  ['longhaul-agent', 'hypervisor', 'groups.conf'],
  ['longhaul-agent', 'edge', 'groups.conf'],
] as const

/** Copies a unit with its drop-in. The program that the unit names is that of this clone. */
function copyUnit(program: string, role: string, dropIn: string): string {
  const at = mkdtempSync(path.join(folder, 'units-'))
  const unit = path.join(at, `${program}@${role}.service`)
  writeFileSync(unit, read(`deploy/${program}@.service`).replaceAll('/opt/longhaul', ROOT))
  if (dropIn) cpSync(path.join(ROOT, `deploy/${program}@${role}.service.d`, dropIn), path.join(`${unit}.d`, dropIn))
  return unit
}

function copyBackup(): string {
  const at = mkdtempSync(path.join(folder, 'backup-'))
  for (const name of ['longhaul-backup.service', 'longhaul-backup.timer'])
    writeFileSync(path.join(at, name), read(`deploy/${name}`).replaceAll('/opt/longhaul', ROOT))
  return at
}

test.skipIf(VERIFY_LACKS !== '').each([...UNITS, ['longhaul-agent', 'edge', 'openbgpd.conf'] as const])(
  `systemd takes the unit %s@%s with the drop-in "%s"${VERIFY_LACKS}`,
  (program, role, dropIn) => {
    const unit = copyUnit(program, role, dropIn)
    expect(() => run(find('systemd-analyze')!, 'verify', '--man=no', unit)).not.toThrow()
  },
)

/** Returns what the agent's unit and a drop-in set: the later line adds to a list, and an empty one empties it. */
const agentSetting = (name: string, dropIn: string): readonly string[] =>
  [...`${read('deploy/longhaul-agent@.service')}\n${read(dropIn)}`.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))]
    .map(([, value = '']) => value)
    .reduce<string[]>((before, value) => (value === '' ? [] : [...before, ...value.split(' ')]), [])

test.each([
  ['bird', 'groups.conf'],
  ['openbgpd', 'openbgpd.conf'],
])('the agent of an edge may write to the directory that the manual gives to %s', (daemon, dropIn) => {
  const [, directory = ''] = new RegExp(`EDGE_DIRECTORY=(/etc/${daemon}/[\\w/]+)`).exec(read('docs/edge.md')) ?? []
  expect(agentSetting('ReadWritePaths', `deploy/longhaul-agent@edge.service.d/${dropIn}`)).toContain(`-${directory}`)
})

test('the agent of an OpenBGPD can open its control socket, leaves its watchdog running and needs no BIRD', () => {
  const setting = (name: string) => agentSetting(name, 'deploy/longhaul-agent@edge.service.d/openbgpd.conf')
  expect(setting('User').at(-1)).toBe('root')
  expect(setting('KillMode').at(-1)).toBe('process')
  // Emptied again after groups.conf, which comes before it by name.
  expect(read('deploy/longhaul-agent@edge.service.d/openbgpd.conf')).toMatch(/^SupplementaryGroups=$/m)
})

test.skipIf(VERIFY_LACKS !== '')(`systemd takes the timer of the nightly backup${VERIFY_LACKS}`, () => {
  const timer = path.join(copyBackup(), 'longhaul-backup.timer')
  expect(() => run(find('systemd-analyze')!, 'verify', '--man=no', timer)).not.toThrow()
})

/** In tenths of the exposure that systemd prints. The units say why they leave out some settings. */
const EXPOSURE = '--threshold=22'

test.skipIf(VERIFY_LACKS !== '')(`systemd finds no unit exposed${VERIFY_LACKS}`, { timeout: 60_000 }, () => {
  const units = [
    ...UNITS.map(([program, role, dropIn]) => copyUnit(program, role, dropIn)),
    path.join(copyBackup(), 'longhaul-backup.service'),
  ]
  for (const unit of units)
    expect(() => run(find('systemd-analyze')!, 'security', '--offline=true', EXPOSURE, unit), unit).not.toThrow()
})

const ALERTS = read('deploy/prometheus-alerts.yml')

test('alerts use metrics that the portal exports', () => {
  const exported = ['src/observability/gauges.ts', 'src/observability/metrics.ts'].map(read).join('')
  const used = new Set(ALERTS.match(/\blonghaul_[a-z_]+/g))
  expect(used.size).toBeGreaterThan(10)
  for (const metric of used) expect(exported).toMatch(new RegExp(`\\b${metric}\\b`))
})

test('the manual says of each alert what to do, and of no other', () => {
  const alerts = [...ALERTS.matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  const explained = [...read('docs/operate.md').matchAll(/^\| `(Longhaul\w+)`/gm)].map(([, name]) => name)
  expect(explained).toEqual(alerts)
})

test('the manual scrapes the job that the alerts are about, and loads them', () => {
  const text = block('docs/operate.md: scrape_configs:')
  const [, job = ''] = /job_name: (\w+)/.exec(text) ?? []
  expect(ALERTS).toContain(`up{job="${job}"}`)
  expect(text).toContain('/opt/longhaul/deploy/prometheus-alerts.yml')
})

const PROMTOOL_LACKS = lacking('promtool')

test.skipIf(PROMTOOL_LACKS !== '')(`Prometheus takes the alert rules${PROMTOOL_LACKS}`, () => {
  expect(() => run(find('promtool')!, 'check', 'rules', path.join(ROOT, 'deploy/prometheus-alerts.yml'))).not.toThrow()
})

describe.each(['bird', 'openbgpd'])('the unit of %s', (daemon) => {
  const unit = `/lib/systemd/system/${daemon}.service`
  const lacks = VERIFY_LACKS || (existsSync(unit) ? '' : ` (skipped: ${daemon} is not installed)`)

  test.skipIf(lacks !== '')(`is taken by systemd with our drop-in${lacks}`, () => {
    const at = path.join(folder, `${daemon}-unit`)
    mkdirSync(path.join(at, `${daemon}.service.d`), { recursive: true })
    cpSync(unit, path.join(at, `${daemon}.service`))
    const dropIn = read(`deploy/${daemon}.service.d/longhaul.conf`).replaceAll('/opt/longhaul', ROOT)
    writeFileSync(path.join(at, `${daemon}.service.d/longhaul.conf`), dropIn)
    const verify = ['verify', '--man=no', path.join(at, `${daemon}.service`)]
    expect(run(find('systemd-analyze')!, ...verify)).toBe('')
  })
})

const SYSUSERS_LACKS = lacking('systemd-sysusers') || lacking('systemd-tmpfiles')
const NOT_ROOT = process.getuid?.() === 0 ? '' : ' (skipped: not root)'

test.skipIf(SYSUSERS_LACKS !== '' || NOT_ROOT !== '')(
  `systemd makes the user and its folders${SYSUSERS_LACKS || NOT_ROOT}`,
  () => {
    const root = path.join(folder, 'root')
    mkdirSync(path.join(root, 'etc'), { recursive: true })
    writeFileSync(path.join(folder, 'bird.conf'), 'u bird -\n')
    run(
      find('systemd-sysusers')!,
      `--root=${root}`,
      path.join(folder, 'bird.conf'),
      path.join(ROOT, 'deploy/sysusers.conf'),
    )
    expect(readFileSync(path.join(root, 'etc/passwd'), 'utf8')).toMatch(/^longhaul:.*^longhaul-agent:/ms)
    // None of the portal's groups includes the agents' user.
    expect(readFileSync(path.join(root, 'etc/group'), 'utf8')).not.toMatch(/:.*:.*longhaul-agent$/m)
    writeFileSync(
      path.join(folder, 'tmpfiles.conf'),
      read('deploy/tmpfiles.conf')
        .replace('MARK', 'abc123')
        .replaceAll(/(?<= )DRIVER(?= )/g, 'longhaul-agent'),
    )
    run(find('systemd-tmpfiles')!, `--root=${root}`, '--create', path.join(folder, 'tmpfiles.conf'))
    expect(existsSync(path.join(root, 'etc/bird/longhaul'))).toBe(true)
  },
)
