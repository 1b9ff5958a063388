import { createConnection, type Socket } from 'node:net'
import { beforeEffect } from '../../../kernel/effects.ts'
import { EdgeError } from '../index.ts'
import { ReplyReader, type Reply } from './reply.ts'

const MAX_REPLY = 64 * 1024 * 1024
const DEADLINE_MS = 10_000

export interface CommandOptions {
  readonly deadlineMs?: number
  /** Stop reading after this much and return what was received; the connection is unusable afterwards. */
  readonly maxSize?: number
}

/** One connection to BIRD's control socket: one command at a time, each with a deadline. */
export class BirdControl implements Disposable {
  /** BIRD's version from its greeting: `2.0.12`. */
  readonly version: string
  readonly #socket: Socket

  private constructor(socket: Socket, version: string) {
    this.#socket = socket
    this.version = version
  }

  /**
   * `restricted` makes BIRD reject everything but queries on this connection. Throws `EdgeError` unreachable or
   * timeout.
   */
  static async connect(path: string, options: { restricted: boolean; deadlineMs?: number }): Promise<BirdControl> {
    const socket = createConnection({ path })
    socket.setEncoding('utf8')
    // The waiting command reports failures; without a listener a late one would end the process.
    socket.on('error', () => {})
    try {
      const hello = await readReply(socket, MAX_REPLY, options.deadlineMs ?? DEADLINE_MS)
      const version = /^BIRD (\S{1,40}) ready/.exec(hello.lines[0]?.text ?? '')?.[1]
      if (hello.code !== 1 || !version)
        throw new EdgeError('unreachable', `${path} does not speak BIRD's control protocol.`)
      const control = new BirdControl(socket, version)
      if (options.restricted) await control.command('restrict')
      return control
    } catch (error) {
      socket.destroy()
      throw error
    }
  }

  async command(text: string, options: CommandOptions = {}): Promise<Reply> {
    if (!/^[^\p{C}\p{Zl}\p{Zp}]{1,1000}$/u.test(text))
      throw new EdgeError('internal', 'A command of BIRD is one line of printable text.')
    beforeEffect()
    const answer = readReply(this.#socket, options.maxSize ?? MAX_REPLY, options.deadlineMs ?? DEADLINE_MS)
    this.#socket.write(`${text}\n`)
    const reply = await answer
    if (reply.truncated) this.#socket.destroy()
    return reply
  }

  [Symbol.dispose](): void {
    this.#socket.destroy()
  }
}

function readReply(socket: Socket, maxSize: number, deadlineMs: number): Promise<Reply> {
  const reader = new ReplyReader(maxSize)
  return new Promise((resolve, reject) => {
    const settle = (error: Error | null, reply?: Reply): void => {
      clearTimeout(timer)
      socket.off('data', onData).off('error', onGone).off('close', onGone)
      if (reply) return resolve(reply)
      socket.destroy()
      reject(error!)
    }
    const onData = (chunk: string): void => {
      try {
        const reply = reader.push(chunk)
        if (reply) settle(null, reply)
      } catch (error) {
        settle(new EdgeError('unreachable', 'What answers on the control socket is not BIRD.', { cause: error }))
      }
    }
    const onGone = (cause?: unknown): void =>
      settle(
        new EdgeError('unreachable', 'The edge does not answer on its control socket: is BIRD running?', { cause }),
      )
    const timer = setTimeout(
      () => settle(new EdgeError('timeout', `The edge did not answer within ${deadlineMs / 1000} seconds.`)),
      deadlineMs,
    )
    if (socket.destroyed) return onGone()
    socket.on('data', onData).on('error', onGone).on('close', onGone)
  })
}

/** The text of an error, without BIRD's progress messages before it. */
export const replyText = (reply: Reply): string => reply.lines.at(-1)?.text ?? ''

/** For queries that BIRD must understand. */
export function expectSuccess(reply: Reply): Reply {
  if (reply.code >= 8000) throw new EdgeError('internal', `The edge answered ${reply.code}: ${replyText(reply)}`)
  return reply
}
