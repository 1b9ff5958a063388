/** One connection to an IRRd server: commands are sent as they come, and answers arrive in the same order. */
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { IrrError } from '../index.ts'
import { AnswerReader, type IrrdAnswer } from './framing.ts'

interface Waiting {
  readonly resolve: (answer: IrrdAnswer) => void
  readonly reject: (error: IrrError) => void
}

export interface IrrdConnection {
  /** Sends the commands back to back; no other caller's commands come between them. */
  ask(commands: readonly string[]): Promise<IrrdAnswer[]>
  readonly isOpen: boolean
  close(): void
}

export interface ConnectionOptions {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly ca: string | undefined
  /** The time limit for a set of commands, including connecting. */
  readonly deadlineMs: number
  /** Commands sent once at the start; each is answered. */
  readonly greeting: readonly string[]
}

/** Servers close idle connections after a time of their own (IRRd: 30 s by default); close before that. */
const IDLE_MS = 20_000

export function openConnection({ host, port, tls, ca, deadlineMs, greeting }: ConnectionOptions): IrrdConnection {
  const waiting: Waiting[] = []
  const reader = new AnswerReader()
  let ended = false
  // Data that is written before the certificate is checked waits in the socket.
  const socket: Socket = tls ? connectTls({ host, port, ...(ca !== undefined && { ca }) }) : connect({ host, port })

  const end = (error: IrrError) => {
    if (ended) return
    ended = true
    socket.destroy()
    for (const { reject } of waiting.splice(0)) reject(error)
  }
  socket.setTimeout(IDLE_MS)
  socket.on('timeout', () => {
    if (waiting.length === 0) end(new IrrError('unreachable', 'The connection was idle.'))
  })
  socket.on('error', (cause) =>
    end(
      new IrrError(
        'unreachable',
        `The registry at ${host}:${port} cannot be reached${tls ? `: ${cause.message}` : ''}.`,
        {
          cause,
        },
      ),
    ),
  )
  socket.on('close', () => end(new IrrError('unreachable', `The registry at ${host}:${port} closed the connection.`)))
  socket.on('data', (chunk) => {
    try {
      for (const answer of reader.push(chunk)) {
        const next = waiting.shift()
        if (!next) throw new IrrError('protocol', 'The registry sent an answer that was not requested.')
        next.resolve(answer)
      }
    } catch (error) {
      end(error instanceof IrrError ? error : new IrrError('protocol', 'The answer cannot be read.', { cause: error }))
    }
  })

  const ask = async (commands: readonly string[]): Promise<IrrdAnswer[]> => {
    if (ended) throw new IrrError('unreachable', 'The connection has ended.')
    if (commands.some((command) => !/^![\x21-\x7e]{0,200}$/.test(command)))
      throw new IrrError('protocol', 'This cannot be asked: a command is one line of printable characters.')
    const answers = commands.map(() => new Promise<IrrdAnswer>((resolve, reject) => waiting.push({ resolve, reject })))
    socket.write(commands.map((command) => `${command}\n`).join(''))
    // One late answer delays all answers behind it, so the whole connection is closed, not only the query.
    const late = () =>
      end(new IrrError('timeout', `The registry at ${host}:${port} took longer than ${deadlineMs / 1000} s.`))
    const deadline = setTimeout(late, deadlineMs)
    try {
      return await Promise.all(answers)
    } finally {
      clearTimeout(deadline)
    }
  }
  socket.write('!!\n') // keep the connection open; the one command without an answer
  void ask(greeting).then(
    (answers) => {
      const denial = answers.find((answer) => answer.kind === 'refused')
      if (denial) end(new IrrError('protocol', `The registry refused our settings: ${denial.message}`))
    },
    () => undefined, // the callers report it
  )
  return {
    ask,
    get isOpen() {
      return !ended
    },
    close: () => end(new IrrError('unreachable', 'The client was closed.')),
  }
}
