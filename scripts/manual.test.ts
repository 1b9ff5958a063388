/** Each block of commands or configuration in the documentation is run by a test, or named here with why it is not. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, mkdirSync, cpSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { COMMANDS } from '../src/cli/commands.ts'

const ROOT = path.join(import.meta.dirname, '..')
const folder = mkdtempSync(path.join(tmpdir(), 'longhaul-manual-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')
const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { stdio: 'pipe', encoding: 'utf8', timeout: 60_000 })
/** Also where a user's PATH does not look. */
const find = (program: string): string | undefined =>
  ['/usr/sbin', '/usr/bin', '/sbin', '/bin'].map((at) => path.join(at, program)).find((file) => existsSync(file))
const lacking = (program: string): string => (find(program) ? '' : ` (skipped: ${program} is not installed)`)

interface Block {
  readonly language: string
  readonly text: string
  /** File and first line. */
  readonly key: string
}

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(path.join(ROOT, 'docs')).map((file) => `docs/${file}`),
]
const blocks: readonly Block[] = documents
  .filter((file) => file.endsWith('.md'))
  .flatMap((file) =>
    [...read(file).matchAll(/^( *)```(\w*)\n(.*?)^\1```$/gms)].map(([, indent = '', language = '', body = '']) => {
      const text = body.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
      return { language, text, key: `${file}: ${text.split('\n')[0]!.trim()}` }
    }),
  )

/** By the beginning of the key: the test that runs it. */
const RUN_BY: Readonly<Record<string, string>> = {
  'README.md: npm start': 'e2e/start-and-stop.e2e.ts',
  'docs/api.md: curl -fsS -H "Authorization: Bearer $LONGHAUL_TOKEN" $LONGHAUL_URL/api/user':
    'src/cli/customer/customer.test.ts',
  'docs/api.md: longhaul catalogue': 'src/cli/customer/customer.test.ts',
  'docs/edge.md: log syslog all;': 'src/drivers/edge/bird/render.test.ts',
  'docs/first-steps.md: longhaul site add': 'src/cli/first-steps.test.ts',
  'docs/first-steps.md: longhaul backup': 'src/cli/backup/backup.test.ts',
  'docs/operate.md: bin/longhaul backup': 'src/cli/backup/backup.test.ts',
  'docs/operate.md: tar --create': 'scripts/manual.test.ts',
}

/** What a test cannot do to the machine that it runs on. Their syntax and the files that they name are still tested. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'README.md: npm test': 'it is what runs this',
  'docs/api.md: export LONGHAUL_URL': 'the token in it is a placeholder',
  'docs/edge.md: cp /root/longhaul.env': 'writes to /etc and starts a service',
  'docs/first-steps.md: alias longhaul': 'an alias is for a person at a terminal',
  'docs/first-steps.md: longhaul config check': 'asks the services of a real installation',
  'docs/operate.md: apt-get install': 'installs on the system',
  'docs/operate.md: cp /root/longhaul.env': 'writes to /etc and starts a service',
  'docs/operate.md: pg_dump': 'Debian’s pg_dump refuses the newer PostgreSQL of the tests',
  'docs/operate.md: cd /opt/longhaul': 'replaces the release that runs',
  'docs/operate.md: systemctl disable': 'removes an installation',
}

/** Diagrams, and an example of what the API sends. */
const NO_COMMANDS = ['', 'json']
const commands = blocks.filter(({ language }) => !NO_COMMANDS.includes(language))
const entriesFor = (key: string) =>
  Object.keys({ ...RUN_BY, ...NOT_RUN }).filter((beginning) => key.startsWith(beginning))

test.each(commands.map(({ key }) => key))('a test runs this, or a reason says why none can: %s', (key) => {
  expect(entriesFor(key)).toHaveLength(1)
})

test('every entry is of a block that exists, and of a test that exists', () => {
  const unused = Object.keys({ ...RUN_BY, ...NOT_RUN }).filter((beginning) =>
    commands.every(({ key }) => !key.startsWith(beginning)),
  )
  expect(unused).toEqual([])
  for (const file of Object.values(RUN_BY)) expect(existsSync(path.join(ROOT, file)), file).toBe(true)
})

const shell = commands.filter(({ language }) => language === 'sh')

test.each(shell.map(({ key, text }) => [key, text] as const))('a shell understands %s', (_, text) => {
  // A placeholder such as <release> stands for a word.
  execFileSync('bash', ['-n'], { input: text.replaceAll(/<\w+>/g, 'word'), stdio: 'pipe' })
})

test('every file of deploy/ that a command copies exists', () => {
  const named = shell.flatMap(({ text }) => text.match(/\bdeploy\/[\w@.$/-]+/g) ?? [])
  expect(named.length).toBeGreaterThan(5)
  for (const file of named)
    for (const role of ['all', 'worker'])
      expect(existsSync(path.join(ROOT, file.replace('$role', role))), file).toBe(true)
})

test('every command of the shell that the documentation names exists', () => {
  const known = COMMANDS.map(({ name }) => name)
  const named = documents
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      [...read(file).matchAll(/(?:^ *|`|bin\/|\.env )longhaul ([a-z]+)(?: ([a-z]+))?/gm)].map(
        ([, one = '', two = '']) => [one, `${one} ${two}`],
      ),
    )
  expect(named.length).toBeGreaterThan(20)
  for (const words of named)
    expect(words.some((word) => known.includes(word) || word === 'help') ? '' : words[1]).toBe('')
})

test('the portal’s directory is copied and comes back, as the commands say', () => {
  const block = commands.find(({ key }) => key.startsWith('docs/operate.md: tar --create'))!
  const data = path.join(folder, 'var/lib/longhaul/data')
  mkdirSync(data, { recursive: true })
  writeFileSync(path.join(data, 'installation'), 'one')
  const [create, extract] = block.text.replaceAll('--directory=/', `--directory=${folder}`).trim().split('\n')
  execFileSync('bash', ['-ec', create!], { cwd: folder })
  rmSync(data, { recursive: true })
  execFileSync('bash', ['-ec', extract!], { cwd: folder })
  expect(readFileSync(path.join(data, 'installation'), 'utf8')).toBe('one')
})

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

const VERIFY_LACKS = lacking('systemd-analyze')

test.skipIf(VERIFY_LACKS !== '').each(['all', 'web', 'worker', 'host', 'edge'])(
  `systemd takes the unit longhaul@%s${VERIFY_LACKS}`,
  (role) => {
    const at = path.join(folder, `units-${role}`)
    mkdirSync(at)
    // The program that the unit names is that of this clone.
    const unit = read('deploy/longhaul@.service').replaceAll('/opt/longhaul', ROOT)
    writeFileSync(path.join(at, `longhaul@${role}.service`), unit)
    const dropIns = path.join(ROOT, `deploy/longhaul@${role}.service.d`)
    if (existsSync(dropIns)) cpSync(dropIns, path.join(at, `longhaul@${role}.service.d`), { recursive: true })
    expect(() =>
      run(find('systemd-analyze')!, 'verify', '--man=no', path.join(at, `longhaul@${role}.service`)),
    ).not.toThrow()
  },
)

const SYSUSERS_LACKS = lacking('systemd-sysusers') || lacking('systemd-tmpfiles')
const NOT_ROOT = process.getuid?.() === 0 ? '' : ' (skipped: not root)'

test.skipIf(SYSUSERS_LACKS !== '' || NOT_ROOT !== '')(
  `systemd makes the user and its folders${SYSUSERS_LACKS || NOT_ROOT}`,
  () => {
    const root = path.join(folder, 'root')
    mkdirSync(path.join(root, 'etc'), { recursive: true })
    writeFileSync(path.join(folder, 'bird.conf'), 'g bird -\n')
    run(
      find('systemd-sysusers')!,
      `--root=${root}`,
      path.join(folder, 'bird.conf'),
      path.join(ROOT, 'deploy/sysusers.conf'),
    )
    expect(readFileSync(path.join(root, 'etc/passwd'), 'utf8')).toMatch(/^longhaul:/m)
    writeFileSync(path.join(folder, 'tmpfiles.conf'), read('deploy/tmpfiles.conf').replace('MARK', 'abc123'))
    run(find('systemd-tmpfiles')!, `--root=${root}`, '--create', path.join(folder, 'tmpfiles.conf'))
    expect(existsSync(path.join(root, 'etc/bird/longhaul'))).toBe(true)
  },
)
