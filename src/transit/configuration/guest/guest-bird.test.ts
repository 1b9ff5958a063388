import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { renderGuestBird, type GuestParameters } from './guest-bird.ts'

const BIRD = ['/usr/sbin/bird', '/usr/local/sbin/bird'].find((file) => existsSync(file))

const FACTS: GuestParameters = {
  customerAsn: 500_010,
  operatorAsn: 500_000,
  enabled: true,
  password: 'k3y!with#marks',
  addresses: [
    { family: 6, address: '2001:db8:100::2', gateway: '2001:db8:100::1' },
    { family: 4, address: '203.0.113.2', gateway: '203.0.113.1' },
  ],
  prefixes: [
    { id: 1, value: '45.30.10.0/24', type: 'ORIGIN', origin: 500_010 },
    { id: 2, value: '45.30.11.0/24', type: 'DOWNSTREAM', origin: 500_011 },
    { id: 3, value: '45.30.15.0/24', type: 'STATIC', origin: 500_000 },
  ],
}

/** Checks the configuration as the router gets it, with what the routers slice puts around it. */
function checkedByBird(fragment: string): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'guest-bird-'))
  try {
    const file = path.join(folder, 'bird.conf')
    writeFileSync(file, `router id 203.0.113.2;\nprotocol device {}\n${fragment}`)
    execFileSync(BIRD!, ['-p', '-c', file], { stdio: 'pipe', timeout: 10_000 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe('the configuration of a router', () => {
  test('originates its own prefixes, passes those of its downstreams, and nothing else', () => {
    const text = renderGuestBird(FACTS)
    expect(text).toContain('route 45.30.10.0/24 blackhole;')
    expect(text).not.toContain('route 45.30.11.0/24')
    expect(text).toContain('export where net ~ [ 45.30.10.0/24, 45.30.11.0/24 ];')
    expect(text).not.toContain('45.30.15.0/24')
    expect(text).toContain('export none;')
  })

  test.skipIf(!BIRD)('is one that BIRD takes: full, without prefixes, and switched off', () => {
    checkedByBird(renderGuestBird(FACTS))
    checkedByBird(renderGuestBird({ ...FACTS, prefixes: [], password: null }))
    checkedByBird(renderGuestBird({ ...FACTS, enabled: false }))
  })

  test('cannot be made to say anything that is not an address, a prefix, a number or a plain password', () => {
    const hostile = '1.2.3.4; } protocol static { route 0.0.0.0/0 via 1.2.3.4'
    expect(() => renderGuestBird({ ...FACTS, password: 'a"; } #' })).toThrow(TypeError)
    expect(() =>
      renderGuestBird({ ...FACTS, addresses: [{ family: 4, address: hostile, gateway: '203.0.113.1' }] }),
    ).toThrow(TypeError)
    expect(() =>
      renderGuestBird({ ...FACTS, prefixes: [{ id: 1, value: hostile, type: 'ORIGIN', origin: 1 }] }),
    ).toThrow()
    expect(() => renderGuestBird({ ...FACTS, customerAsn: Number.NaN })).toThrow(TypeError)
  })
})
