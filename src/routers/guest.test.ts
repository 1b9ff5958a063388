import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { bootFiles, type GuestParameters } from './guest.ts'
import { SEED } from './testing.ts'

const run = promisify(execFile)
const birdMissing = await run('bird', ['--version']).then(
  () => false,
  () => true,
)
const facts: GuestParameters = {
  routerId: 7,
  name: 'Edge-1',
  sshKeys: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2RvwBGvcGcdcX6RLYdLCrWMtPQl1nRTzL5d0zPDXOA'],
  address4: '203.0.113.10',
  address6: '2001:db8:100::a',
  pool: SEED.pool,
}

describe('the files that a guest boots with', () => {
  it('name it, tell its interface by its MAC and give it both families with a default route', () => {
    const files = bootFiles(facts, '')
    expect(files['hostname']).toBe('edge-1\n')
    expect(files['macs']).toBe('02:4c:00:00:00:07 wan0\n')
    expect(files['ip.batch']).toBe(`link set wan0 up
address add 203.0.113.10/24 dev wan0
address add 2001:db8:100::a/64 dev wan0 nodad
route add default via 203.0.113.1 dev wan0 metric 1024
route add default via 2001:db8:100::1 dev wan0 metric 1024
`)
    expect(files['authorized_keys']).toBe(`${facts.sshKeys[0]}\n`)
  })

  it.skipIf(birdMissing)(
    `hold a configuration that BIRD itself takes, with and without what others contribute${birdMissing ? ' (skipped: bird2 is not installed)' : ''}`,
    async () => {
      const directory = await mkdtemp(path.join(tmpdir(), 'longhaul-guest-'))
      try {
        for (const contributed of [
          '',
          'protocol static lh_origin4 {\n  ipv4;\n  route 45.30.10.0/24 blackhole;\n}\n',
        ]) {
          const file = path.join(directory, 'bird.conf')
          await writeFile(file, bootFiles(facts, contributed)['bird.conf']!)
          await expect(run('bird', ['-p', '-c', file])).resolves.toMatchObject({ stderr: '' })
        }
      } finally {
        await rm(directory, { recursive: true })
      }
    },
  )

  it.each<[string, Partial<GuestParameters>]>([
    ['a name that would end the comment', { name: 'a\nlog stderr all;' }],
    ['a key that brings a second line', { sshKeys: ['ssh-ed25519 AAAA\ncommand="id" ssh-ed25519 AAAA'] }],
    ['a key with options', { sshKeys: ['command="id" ssh-ed25519 AAAA'] }],
    ['an address of the other family', { address4: '2001:db8::1' }],
    ['an address with an interface', { address6: 'fe80::1%eth0' }],
  ])('are not made at all of %s', (_what, change) => {
    expect(() => bootFiles({ ...facts, ...change }, '')).toThrow(TypeError)
  })
})
