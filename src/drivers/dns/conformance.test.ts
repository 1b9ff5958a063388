import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createSimulatedDns } from './simulated/index.ts'
import { createStubResolver } from './stub/index.ts'
import { startTestDns } from './testing.ts'

const NAME = '_longhaul-challenge.10.30.45.in-addr.arpa'
const server = await startTestDns()
const directory = mkdtempSync(path.join(tmpdir(), 'dns-'))
const file = path.join(directory, 'dns.json')
afterAll(async () => {
  await server.close()
  rmSync(directory, { recursive: true })
})

interface Records {
  readonly txt: readonly string[]
  readonly dnssec?: 'SECURE'
}
const subjects = {
  stub: {
    resolver: createStubResolver({ servers: [{ address: '127.0.0.1', port: server.port }] }),
    serve(records: Readonly<Record<string, Records>>): void {
      server.zones.clear()
      for (const [name, { txt, dnssec }] of Object.entries(records)) {
        server.zones.set(name, { txt, ...(dnssec && { dnssec: 'secure' }) })
      }
    },
  },
  simulated: {
    resolver: createSimulatedDns({ file }),
    serve: (records: Readonly<Record<string, Records>>): void => writeFileSync(file, JSON.stringify(records)),
  },
}

describe.each(Object.entries(subjects))('the %s resolver', (kind, subject) => {
  const { resolver } = subject
  test('says what it is and whom it asks', () => {
    expect(resolver.kind).toBe(kind)
    expect(resolver.server).not.toBe('')
  })

  test('answers with all TXT records of a name', async () => {
    subject.serve({ [NAME]: { txt: ['one', 'v=spf1 -all'] } })
    const answer = await resolver.txt(NAME)
    expect([...answer.records].sort()).toEqual(['one', 'v=spf1 -all'])
    expect(answer).toMatchObject({ alias: false, dnssec: 'INSECURE' })
  })

  test('answers with nothing for a name that is not there', async () => {
    subject.serve({})
    expect(await resolver.txt(NAME)).toMatchObject({ records: [], alias: false })
  })

  test('says that the signatures of a zone are good', async () => {
    subject.serve({ [NAME]: { txt: ['one'], dnssec: 'SECURE' } })
    expect((await resolver.txt(NAME)).dnssec).toBe('SECURE')
  })

  test('keeps at most twenty records', async () => {
    subject.serve({ [NAME]: { txt: Array.from({ length: 30 }, (_, index) => `record ${index}`) } })
    expect((await resolver.txt(NAME)).records).toHaveLength(20)
  })

  test.each(['', 'a..b', 'ä.example', 'a b.example', `${'x'.repeat(64)}.example`, `${'x.'.repeat(130)}example`])(
    'never asks for the name %j',
    async (name) => {
      await expect(resolver.txt(name)).rejects.toMatchObject({ name: 'DnsError', kind: 'protocol' })
    },
  )

  test('gives up when its caller does', async () => {
    subject.serve({ [NAME]: { txt: ['one'] } })
    await expect(resolver.txt(NAME, AbortSignal.abort(new Error('no longer wanted')))).rejects.toThrow(
      'no longer wanted',
    )
  })
})

test('records of the simulated resolver that cannot be read are no answer', async () => {
  writeFileSync(file, '{"a":')
  await expect(createSimulatedDns({ file }).txt(NAME)).rejects.toMatchObject({ kind: 'unreachable' })
})
