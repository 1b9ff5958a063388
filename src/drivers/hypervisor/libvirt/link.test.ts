import { describe, expect, it, vi } from 'vitest'
import { Link } from './link.ts'
import { FRAME_STATUS, FRAME_TYPE } from './rpc/frame.ts'
import { PROCEDURES } from './rpc/procedures.ts'
import { answerHandshake, errorBody, reply, startDaemon, type Answer } from './rpc/fake-libvirtd.ts'
import { XdrWriter } from './rpc/xdr.ts'

const silent: Answer = () => null

/** Rejects one step of the handshake with a libvirt error, and answers the others. */
const refusing =
  (procedure: number, code: number, message: string): Answer =>
  (call, socket) => {
    if (call.procedure !== procedure) return answerHandshake(call)
    socket.write(reply(call, errorBody(code, message), FRAME_TYPE.reply, FRAME_STATUS.error))
    return null
  }

const AUTH_POLKIT = 2
const asksPolkit =
  (rest: Answer): Answer =>
  (call, socket) =>
    call.procedure === PROCEDURES.authList.number
      ? new XdrWriter().uint(1).int(AUTH_POLKIT).finish()
      : rest(call, socket)

describe('the link to a host', () => {
  it('comes back after libvirtd was restarted, and says both', async () => {
    await using daemon = await startDaemon(silent)
    const reported: string[] = []
    const link = new Link(daemon.path, {
      connected: () => reported.push('connected'),
      lost: () => reported.push('lost'),
    })
    const stop = new AbortController()
    const held = link.hold(stop.signal)
    await vi.waitFor(() => expect(reported).toEqual(['connected']), { timeout: 10_000 })
    await daemon.stop()
    await vi.waitFor(() => expect(reported.slice(0, 2)).toEqual(['connected', 'lost']), { timeout: 10_000 })
    await expect(link.get()).rejects.toMatchObject({ kind: 'unreachable' })
    await daemon.restart()
    await vi.waitFor(() => expect(reported.at(-1)).toBe('connected'), { timeout: 5_000 })
    stop.abort()
    await held
    link.close()
    await expect(link.get()).rejects.toMatchObject({ kind: 'unreachable' })
  })

  it('opens one connection for many who ask at once, and prepares it before any of them gets it', async () => {
    await using daemon = await startDaemon(silent)
    const prepare = vi.fn<() => Promise<void>>(() => Promise.resolve())
    const link = new Link(daemon.path, {}, prepare)
    const connections = await Promise.all([link.get(), link.get(), link.get()])
    expect(new Set(connections).size).toBe(1)
    expect(prepare).toHaveBeenCalledOnce()
    link.close()
  })

  it.each([
    ['closes the connection during the handshake', (_call: unknown, socket: { destroy(): void }) => socket.destroy()],
    [
      'sends something else than the protocol',
      (_call: unknown, socket: { write(text: string): void }) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'),
    ],
  ])('is unreachable when the daemon %s', async (_what, misbehave) => {
    await using daemon = await startDaemon(silent, (call, socket) => {
      misbehave(call, socket)
      return null
    })
    const lost: string[] = []
    const link = new Link(daemon.path, { lost: (reason) => lost.push(reason) })
    await expect(link.get()).rejects.toMatchObject({ name: 'HypervisorError', kind: 'unreachable' })
    expect(lost).toEqual([])
    link.close()
  })

  it('is unreachable when the daemon takes the connection and never answers', async () => {
    await using daemon = await startDaemon(silent, silent)
    const link = new Link(daemon.path)
    await expect(link.get()).rejects.toMatchObject({ kind: 'unreachable', message: /no answer within/ })
    link.close()
  }, 15_000)

  it.each([
    ['opening the connection', refusing(PROCEDURES.open.number, 88, 'access denied by policy')],
    [
      'the polkit check',
      asksPolkit(refusing(PROCEDURES.authPolkit.number, 45, 'authentication failed: access denied by policy')),
    ],
  ])("is unreachable and repeats libvirt's own words when %s is refused", async (_what, handshake) => {
    await using daemon = await startDaemon(silent, handshake)
    const link = new Link(daemon.path)
    await expect(link.get()).rejects.toMatchObject({ kind: 'unreachable', message: /access denied by policy/ })
    link.close()
  })

  it('asks polkit where the daemon wants that, and is connected when polkit agrees', async () => {
    const asked: number[] = []
    await using daemon = await startDaemon(
      silent,
      asksPolkit((call) => {
        asked.push(call.procedure)
        if (call.procedure === PROCEDURES.authPolkit.number) return new XdrWriter().int(1).finish()
        return answerHandshake(call)
      }),
    )
    const link = new Link(daemon.path)
    await link.get()
    expect(asked[0]).toBe(PROCEDURES.authPolkit.number)
    link.close()
  })

  it('tries a daemon that refuses it less and less often, and says why once for each reason', async () => {
    const attempts: number[] = []
    const refuse = refusing(PROCEDURES.open.number, 88, 'access denied by policy')
    await using daemon = await startDaemon(silent, (call, socket) => {
      if (call.procedure === PROCEDURES.open.number) attempts.push(performance.now())
      return refuse(call, socket)
    })
    const lost: string[] = []
    const link = new Link(daemon.path, { lost: (reason) => lost.push(reason) })
    const stop = new AbortController()
    const held = link.hold(stop.signal)
    await vi.waitFor(() => expect(attempts).toHaveLength(4), { timeout: 15_000 })
    stop.abort()
    await held
    link.close()
    // Each pause is at least half longer than the one before: 300, 450 and 675 ms.
    expect(attempts[3]! - attempts[0]!).toBeGreaterThan(1_400)
    expect(lost).toEqual([expect.stringContaining('access denied by policy')])
  })
})
