import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { run } from './testing.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'longhaul-edge-'))
afterAll(() => rm(folder, { recursive: true }))
const at = path.join(folder, 'longhaul')
const env = { EDGE: 'bird', EDGE_DIRECTORY: at, OPERATOR_ASN: '64500', EDGE_ROUTER_ID: '192.0.2.1' }
const policy = () => readFile(path.join(at, 'live/policy.conf'), 'utf8')

test('the command of the manual fills the directory, whatever Node.js the system has', async () => {
  const longhaul = path.join(import.meta.dirname, '../../bin/longhaul')
  execFileSync(longhaul, ['edge', 'prepare'], { env: { ...env, PATH: '/usr/bin:/bin' }, stdio: 'pipe' })
  expect(await policy()).toContain('192.0.2.1')
  expect(await policy()).toContain('64500')
})

test('a second edge names its own router ID, and what is there already stays', async () => {
  const second = path.join(folder, 'second')
  expect(await run(['edge', 'prepare', '--directory', second, '--router-id', '192.0.2.2'], env)).toMatchObject({
    code: 0,
  })
  expect(await readFile(path.join(second, 'live/policy.conf'), 'utf8')).toContain('192.0.2.2')
  expect(await run(['edge', 'prepare'], env)).toMatchObject({ code: 0 })
  expect(await policy()).toContain('192.0.2.1')
})

test('without the number of the operator it says what to set', async () => {
  const { code, text } = await run(['edge', 'prepare'], { EDGE_DIRECTORY: at })
  expect({ code, text }).toMatchObject({ code: 1, text: expect.stringContaining('OPERATOR_ASN') as unknown })
})
