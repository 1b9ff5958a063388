import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { LIFETIMES } from '../src/accounts/sessions.ts'
import { AGENT_SETTINGS, readAgentConfig } from '../src/agent/config.ts'
import { readConfig } from '../src/platform/config.ts'
import { FAILED_BODY_DAYS } from '../src/platform/mail.ts'
import { SETTINGS } from '../src/platform/settings.ts'
import { SAMPLES_RETENTION_MS, SLOTS_RETENTION_MS } from '../src/routers/metrics/retention.ts'
import { RETENTION_DAYS } from '../src/webhooks/states.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const read = (file: string): Promise<string> => readFile(path.join(import.meta.dirname, '..', file), 'utf8')
const [, settings = ''] = /^## Settings$(.+?)^## /ms.exec(await read('docs/operate.md')) ?? []
const rows = settings
  .split('\n')
  .filter((line) => /^\| `[A-Z_]+` +\|/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, name = '', takes, unset]) => ({ name: name.replaceAll('`', ''), takes, unset }))

test('the manual names exactly the settings that there are', () => {
  expect(rows.map(({ name }) => name)).toEqual(SETTINGS.map(({ name }) => name))
})

test.for(SETTINGS.map(({ name, takes, byDefault }) => [name, { takes, byDefault }] as const))(
  'the manual says what %s takes and what it is when unset',
  ([name, { takes, byDefault }]) => {
    const row = rows.find((one) => one.name === name)
    expect(row?.takes).toBe(takes)
    if (typeof byDefault === 'string' || typeof byDefault === 'number') expect(row?.unset).toBe(`\`${byDefault}\``)
  },
)

test.each([
  ['Text of an email', `${FAILED_BODY_DAYS} days encrypted when delivery failed`],
  ['Events for webhooks and their deliveries', `${RETENTION_DAYS} days`],
  [
    'Traffic and load of routers',
    `${SAMPLES_RETENTION_MS / HOUR_MS} hours by the minute, ${SLOTS_RETENTION_MS / DAY_MS} days in`,
  ],
  ['Traffic and load of hypervisors', `${SLOTS_RETENTION_MS / DAY_MS} days in five-minute slots`],
  ['Sessions of browsers', `${LIFETIMES.customer.idleMs / DAY_MS} days after the last request`],
])('the manual says for how long this is kept: %s', async (data, kept) => {
  const row = (await read('docs/operate.md')).split('\n').find((line) => line.startsWith(`| ${data} `))
  expect(row).toContain(kept)
})

const settingsIn = async (file: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await read(file))
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

test.each([
  ['hypervisor', { COMPUTE: 'libvirt', DATA_DIR: '/var/lib/longhaul/data' }],
  ['edge', { EDGE: 'bird', EDGE_ROUTER_ID: '192.0.2.2', OPERATOR_ASN: 64500 }],
])('the example environment of the agent of a further %s has all that it takes, and no secret', async (role, made) => {
  const env = await settingsIn(`deploy/agent-${role}.env.example`)
  expect(AGENT_SETTINGS).toEqual(expect.arrayContaining(Object.keys(env)))
  expect(readAgentConfig(env, 'r')).toMatchObject({
    ...made,
    AGENT_PORTALS: [{ host: 'portal.example.net', port: 8443 }],
  })
})

test('the example environment holds settings that exist, with values that they take', async () => {
  const env = await settingsIn('deploy/longhaul.env.example')
  expect(SETTINGS.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(env)))
  expect(readConfig(env, 'r')).toMatchObject({ COMPUTE: 'libvirt', EDGE: 'bird', DEMO: false, OPERATOR_ASN: 64500 })
})
