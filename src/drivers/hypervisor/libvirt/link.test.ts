import { describe, expect, it, vi } from 'vitest'
import { Link } from './link.ts'
import { startDaemon } from './rpc/stand-in-daemon.ts'

describe('the link to a host', () => {
  it('comes back after libvirtd was restarted, and says both', async () => {
    await using daemon = await startDaemon(() => null)
    const told: string[] = []
    const link = new Link(daemon.path, {
      connected: () => told.push('connected'),
      lost: () => told.push('lost'),
    })
    const stop = new AbortController()
    const held = link.hold(stop.signal)
    await vi.waitFor(() => expect(told).toEqual(['connected']), { timeout: 10_000 })
    await daemon.stop()
    await vi.waitFor(() => expect(told).toEqual(['connected', 'lost']), { timeout: 10_000 })
    await expect(link.get()).rejects.toMatchObject({ kind: 'unreachable' })
    await daemon.restart()
    await vi.waitFor(() => expect(told).toEqual(['connected', 'lost', 'connected']), { timeout: 5_000 })
    stop.abort()
    await held
    link.close()
    await expect(link.get()).rejects.toMatchObject({ kind: 'unreachable' })
  })

  it('opens one connection for many who ask at once, and prepares it before any of them gets it', async () => {
    await using daemon = await startDaemon(() => null)
    const prepare = vi.fn<() => Promise<void>>(() => Promise.resolve())
    const link = new Link(daemon.path, {}, prepare)
    const connections = await Promise.all([link.get(), link.get(), link.get()])
    expect(new Set(connections).size).toBe(1)
    expect(prepare).toHaveBeenCalledOnce()
    link.close()
  })
})
