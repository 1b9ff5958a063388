import { expect, test } from 'vitest'
import type { IrrSource } from '../../drivers/irr/index.ts'
import type { Config } from '../../platform/config.ts'
import type { Drivers } from '../../main/choose-drivers.ts'
import { sourceProbes } from './sources.ts'

test.each([
  [undefined, 'whois.radb.net:43', true],
  [{ host: '192.0.2.7', port: 43, tls: false }, '192.0.2.7:43', true],
  [{ host: '127.0.0.1', port: 43, tls: false }, '127.0.0.1:43', false],
  [{ host: 'irr.example.net', port: 4343, tls: true }, 'tls://irr.example.net:4343', false],
])('says of the IRR at %o that its answers are in clear: %s, %s', async (server, at, inClear) => {
  const irr = { routeObjects: async () => [] } as unknown as IrrSource
  const probe = sourceProbes({ IRR_SERVER: server } as Config, { irr } as Drivers).find(({ name }) => name === 'IRR')!
  expect(probe.at).toBe(at)
  expect(/in clear/.test(await probe.attempt(AbortSignal.timeout(1_000)))).toBe(inClear)
})
