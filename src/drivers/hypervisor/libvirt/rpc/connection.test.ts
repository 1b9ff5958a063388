import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Connection } from './connection.ts'
import { CODE } from './errors.ts'
import { encodeFrame, FRAME_STATUS, FRAME_TYPE, PROGRAM } from './frame.ts'
import { PROCEDURES } from './procedures.ts'
import { errorBody, reply, startDaemon } from './fake-libvirtd.ts'
import { XdrWriter } from './xdr.ts'

const silent = () => null

afterEach(() => {
  vi.useRealTimers()
})

describe('a connection to libvirtd', () => {
  it('tells answers apart that come in another order than the questions', async () => {
    const held: (() => void)[] = []
    await using daemon = await startDaemon((call, socket) => {
      held.unshift(() => socket.write(reply(call, new XdrWriter().uint(call.procedure).finish())))
      if (held.length === 2) for (const release of held) release()
      return null
    })
    const connection = await Connection.open(daemon.path)
    const [first, second] = await Promise.all([
      connection.call(PROCEDURES.version),
      connection.call(PROCEDURES.libraryVersion),
    ])
    expect([first.uint(), second.uint()]).toEqual([PROCEDURES.version.number, PROCEDURES.libraryVersion.number])
    connection.close()
  })

  it('does not claim to know what came of a changing call that got no answer', async () => {
    await using daemon = await startDaemon(silent)
    const connection = await Connection.open(daemon.path)
    const changing = connection.call(PROCEDURES.domainStart, Buffer.alloc(0), 50)
    const reading = connection.call(PROCEDURES.domainXml, Buffer.alloc(0), 50)
    await expect(changing).rejects.toMatchObject({ kind: 'timeout-unknown' })
    await expect(reading).rejects.toMatchObject({ kind: 'unreachable' })
    connection.close()
  })

  it('says the same when the daemon dies in the middle of the call', async () => {
    await using daemon = await startDaemon(silent)
    const lost = vi.fn<(reason: string) => void>()
    const connection = await Connection.open(daemon.path, { closed: lost })
    const changing = connection.call(PROCEDURES.domainStart)
    const reading = connection.call(PROCEDURES.domainXml)
    daemon.hangUp()
    await expect(changing).rejects.toMatchObject({ kind: 'timeout-unknown' })
    await expect(reading).rejects.toMatchObject({ kind: 'unreachable' })
    expect(lost).toHaveBeenCalledOnce()
    await expect(connection.call(PROCEDURES.version)).rejects.toMatchObject({ kind: 'unreachable' })
  })

  it.each([
    [CODE.noDomain, 'not-found'],
    [CODE.invalidState, 'invalid-state'],
    [CODE.agentUnresponsive, 'agent-silent'],
    [CODE.configUnsupported, 'unsupported'],
    [CODE.xml, 'refused'],
    [4711, 'internal'],
  ])("reads libvirt's code %i as %s", async (code, kind) => {
    await using daemon = await startDaemon((call, socket) => {
      socket.write(reply(call, errorBody(code, 'because'), FRAME_TYPE.reply, FRAME_STATUS.error))
      return null
    })
    const connection = await Connection.open(daemon.path)
    await expect(connection.call(PROCEDURES.domainLookup)).rejects.toMatchObject({ kind, code })
    connection.close()
  })

  it('knows a full disk by its message, whatever the code', async () => {
    await using daemon = await startDaemon((call, socket) => {
      socket.write(
        reply(call, errorBody(38, 'cannot fill: No space left on device'), FRAME_TYPE.reply, FRAME_STATUS.error),
      )
      return null
    })
    const connection = await Connection.open(daemon.path)
    await expect(connection.call(PROCEDURES.volumeCreateXml)).rejects.toMatchObject({ kind: 'no-space' })
    connection.close()
  })

  it('ends when what comes is not the protocol', async () => {
    await using daemon = await startDaemon((_call, socket) => {
      socket.write('HTTP/1.1 400 Bad Request\r\n\r\n0123456789')
      return null
    })
    const connection = await Connection.open(daemon.path)
    await expect(connection.call(PROCEDURES.version)).rejects.toMatchObject({ kind: 'unreachable' })
    expect(connection.closed).toBe(true)
  })

  it('answers a keepalive question, and is lost when its own stay unanswered', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    await using daemon = await startDaemon((call, socket) => {
      if (call.program === PROGRAM.remote)
        socket.write(encodeFrame({ ...call, program: PROGRAM.keepalive, procedure: 1, type: 2, serial: 0 }))
      return null
    })
    const lost = vi.fn<(reason: string) => void>()
    const connection = await Connection.open(daemon.path, { closed: lost })
    connection.call(PROCEDURES.version).catch(() => {})
    await vi.waitFor(
      () => {
        expect(daemon.received.some((frame) => frame.program === PROGRAM.keepalive && frame.procedure === 2)).toBe(true)
      },
      { timeout: 10_000 },
    )
    vi.advanceTimersByTime(6_000)
    expect(lost).not.toHaveBeenCalled()
    vi.advanceTimersByTime(2_000)
    expect(lost).toHaveBeenCalledWith('libvirtd stopped answering')
  })

  it('is not there when no one listens', async () => {
    await expect(Connection.open('/nonexistent/libvirt-sock')).rejects.toMatchObject({ kind: 'unreachable' })
  })

  it('carries a stream both ways and ends it without an error when the far side aborts', async () => {
    await using daemon = await startDaemon((call, socket) => {
      if (call.type === FRAME_TYPE.call) return Buffer.alloc(0)
      if (call.type !== FRAME_TYPE.stream) return null
      const text = call.body.toString()
      if (text === 'abort') socket.write(reply(call, errorBody(1, 'taken over'), FRAME_TYPE.stream, FRAME_STATUS.error))
      else socket.write(reply(call, Buffer.from(text.toUpperCase()), FRAME_TYPE.stream, FRAME_STATUS.continue))
      return null
    })
    const connection = await Connection.open(daemon.path)
    const stream = await connection.openStream(PROCEDURES.openConsole, Buffer.alloc(0))
    stream.write('hello')
    const [echo] = (await once(stream, 'data')) as [Buffer]
    expect(echo.toString()).toBe('HELLO')
    stream.write('abort')
    await once(stream, 'close')
    expect(stream.errored).toBeNull()
    connection.close()
  })

  it('stops fetching while the reader of its stream is behind, and loses nothing', async () => {
    const chunk = Buffer.alloc(64 << 10, 'x')
    await using daemon = await startDaemon((call, socket) => {
      if (call.type !== FRAME_TYPE.call) return null
      socket.write(reply(call, Buffer.alloc(0)))
      for (let count = 0; count < 64; count += 1)
        socket.write(reply(call, chunk, FRAME_TYPE.stream, FRAME_STATUS.continue))
      socket.write(reply(call, Buffer.alloc(0), FRAME_TYPE.stream, FRAME_STATUS.ok))
      return null
    })
    const connection = await Connection.open(daemon.path)
    const stream = await connection.openStream(PROCEDURES.openConsole, Buffer.alloc(0))
    await sleep(100)
    expect(stream.readableLength).toBeLessThan(4 << 20)
    let size = 0
    for await (const part of stream) size += (part as Buffer).length
    expect(size).toBe(64 * chunk.length)
    connection.close()
  })
})
