/**
 * Each block of commands or configuration in the documentation is run by a test, or listed here with the reason why
 * not.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { COMMANDS } from '../src/cli/commands.ts'
import { commands, documents, read, ROOT } from './manual/documents.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'longhaul-manual-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The commands that change a machine. */
const HOST = 'scripts/manual-host.test.ts'
/** The test that runs a block, by the beginning of its key. */
const RUN_BY: Readonly<Record<string, string>> = {
  'README.md: npm start': 'e2e/start-and-stop.e2e.ts',
  'docs/api.md: curl -fsS -H "Authorization: Bearer $LONGHAUL_TOKEN" $LONGHAUL_URL/api/user':
    'src/cli/customer/customer.test.ts',
  'docs/api.md: longhaul catalogue': 'src/cli/customer/customer.test.ts',
  'docs/edge.md: log syslog all;': 'src/drivers/edge/bird/render.test.ts',
  'docs/edge.md: # Globals, sets': 'src/drivers/edge/openbgpd/render.test.ts',
  'docs/first-steps.md: longhaul site add': 'src/cli/first-steps.test.ts',
  'docs/first-steps.md: longhaul backup': HOST,
  'docs/operate.md: /opt/longhaul/bin/longhaul --env /etc/longhaul/owner.env database prepare':
    'src/cli/first-steps.test.ts',
  'docs/operate.md: longhaul audit verify': 'src/cli/cli.test.ts',
  'docs/operate.md: longhaul backup': 'src/cli/backup/backup.test.ts',
  'docs/operate.md: longhaul keys new': 'src/cli/keys/keys.test.ts',
  'docs/operate.md: tar --create': 'scripts/manual.test.ts',
  'docs/api.md: export LONGHAUL_URL': 'scripts/manual.test.ts',
  'docs/operate.md: scrape_configs:': 'scripts/manual-deploy.test.ts',
  'docs/operate.md: pg_dump': 'scripts/manual-postgres.test.ts',
  'docs/operate.md: apt-get install': HOST,
  'docs/operate.md: install -m 0600': HOST,
  'docs/operate.md: cd /opt/longhaul': HOST,
  'docs/operate.md: systemctl stop': HOST,
  'docs/edge.md: install -m 0600': HOST,
  'docs/edge.md: install -d -o root': HOST,
  'docs/first-steps.md: alias longhaul': HOST,
  'docs/first-steps.md: longhaul config check': HOST,
}

/** The one block that no test can run. */
const NOT_RUN: Readonly<Record<string, string>> = { 'README.md: npm test': 'it is what runs this' }

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
  // A placeholder such as <release> is replaced by a word.
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
  const named = documents.flatMap((file) =>
    [...read(file).matchAll(/(?:^ *|`|bin\/|\.env )longhaul ([a-z]+)(?: ([a-z]+))?/gm)].map(
      ([, one = '', two = '']) => [one, `${one} ${two}`],
    ),
  )
  expect(named.length).toBeGreaterThan(20)
  for (const words of named)
    expect(words.some((word) => known.includes(word) || word === 'help') ? '' : words[1]).toBe('')
})

test('no command of the manuals runs without the settings of the installation', () => {
  const bare = shell
    .filter(({ key }) => /^docs\/(operate|edge|first-steps)\.md/.test(key))
    .flatMap(({ text }) => text.match(/^.*bin\/longhaul(?! --env ).*$/gm) ?? [])
  expect(bare).toEqual([])
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

test('a shell exports the address and the token under the names that the program reads', () => {
  const { text } = commands.find(({ key }) => key.startsWith('docs/api.md: export LONGHAUL_URL'))!
  const printed = execFileSync('bash', ['-euc', `${text}\nenv`], { encoding: 'utf8' })
  for (const name of ['LONGHAUL_URL', 'LONGHAUL_TOKEN']) {
    expect(printed).toMatch(new RegExp(`^${name}=\\S+$`, 'm'))
    expect(read('src/cli/customer/account.ts')).toContain(name)
  }
})
