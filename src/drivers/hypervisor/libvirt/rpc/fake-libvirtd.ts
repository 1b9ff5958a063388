/** For tests: a daemon that speaks libvirt's protocol and misbehaves on demand. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { encodeFrame, FRAME_STATUS, FRAME_TYPE, FrameSplitter, PROGRAM, type Frame } from './frame.ts'
import { PROCEDURES } from './procedures.ts'
import { XdrWriter } from './xdr.ts'

/** Returns the answer to a call; null for no answer. */
export type Answer = (call: Frame, socket: Socket) => Buffer | null

export interface FakeLibvirtd extends AsyncDisposable {
  readonly path: string
  /** All frames that clients sent after the handshake. */
  readonly received: Frame[]
  hangUp(): void
  stop(): Promise<void>
  restart(): Promise<void>
}

/** `handshake` answers before `answer` does; a call for which it returns null is passed to `answer`. */
export async function startDaemon(answer: Answer, handshake: Answer = answerHandshake): Promise<FakeLibvirtd> {
  const folder = mkdtempSync(join(tmpdir(), 'lh-rpc-'))
  const path = join(folder, 'socket')
  const sockets = new Set<Socket>()
  const received: Frame[] = []
  const serve = (socket: Socket) => {
    const splitter = new FrameSplitter()
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    socket.on('data', (chunk) => {
      for (const frame of splitter.push(chunk)) {
        const greeting = handshake(frame, socket)
        if (greeting === null) received.push(frame)
        const body = greeting ?? answer(frame, socket)
        if (body !== null) socket.write(reply(frame, body))
      }
    })
  }
  let server = createServer(serve)
  const listen = () => once(server.listen(path), 'listening')
  const hangUp = () => {
    for (const socket of sockets) socket.destroy()
  }
  const stop = async () => {
    server.close()
    hangUp()
    await once(server, 'close')
  }
  await listen()
  return {
    path,
    received,
    hangUp,
    stop,
    restart: async () => {
      server = createServer(serve)
      await listen()
    },
    [Symbol.asyncDispose]: async () => {
      if (server.listening) await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function reply(
  call: Frame,
  body: Buffer,
  type: number = FRAME_TYPE.reply,
  status: number = FRAME_STATUS.ok,
): Buffer {
  return encodeFrame({ ...call, type, status, body })
}

export function errorBody(code: number, message: string): Buffer {
  return new XdrWriter().int(code).int(0).optional(message).finish()
}

export function answerHandshake(frame: Frame): Buffer | null {
  if (frame.program !== PROGRAM.remote) return null
  switch (frame.procedure) {
    case PROCEDURES.authList.number:
      return new XdrWriter().uint(1).int(0).finish()
    case PROCEDURES.supportsFeature.number:
      return new XdrWriter().int(1).finish()
    case PROCEDURES.open.number:
    case PROCEDURES.registerEvent.number:
      return new XdrWriter().int(0).finish()
    default:
      return null
  }
}
