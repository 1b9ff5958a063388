import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { HypervisorError, type ExecResult, type GuestChannel } from '../index.ts'
import { requireOwn, type Host } from './host.ts'
import { askAgent } from './rpc/domains.ts'

const AGENT_SECONDS = 5
const EXEC_DEADLINE = 10_000
const OUTPUT_LIMIT = 64 << 10
/** The agent reads a command into one buffer; base64 makes this 64 KiB. */
const WRITE_CHUNK = 48 << 10
const FIRST_POLL = 30
const LONGEST_POLL = 250

const handleSchema = z.int()
const pidSchema = z.object({ pid: z.int().positive() })
const statusSchema = z.object({
  exited: z.boolean(),
  exitcode: z.int().optional(),
  signal: z.int().optional(),
  'out-data': z.string().optional(),
  'err-data': z.string().optional(),
})

/**
 * One process: the file never has its final name with the wrong mode or half of its content. After it succeeds, a
 * reset, which is a power loss to the guest, does not undo the write.
 */
const PUT_IN_PLACE = 'chmod "$1" "$2" && mv -f "$2" "$3" && sync'

/** Opens the guest's own agent through libvirt. The guest belongs to a customer, so everything it says is validated. */
export function openGuestChannel(host: Host, uuid: string): GuestChannel {
  const ask = async <T>(schema: z.ZodType<T>, execute: string, args: object = {}): Promise<T> => {
    const connection = await host.agents.get()
    const domain = await requireOwn(host, connection, uuid)
    const answer = await askAgent(connection, domain, JSON.stringify({ execute, arguments: args }), AGENT_SECONDS)
    return readAnswer(schema, execute, answer)
  }

  const exec = async (argv: readonly string[], options: { deadlineMs?: number } = {}): Promise<ExecResult> => {
    const deadline = performance.now() + (options.deadlineMs ?? EXEC_DEADLINE)
    const [path, ...arg] = argv
    const { pid } = await ask(pidSchema, 'guest-exec', { path, arg, 'capture-output': true })
    for (let pause = FIRST_POLL; performance.now() < deadline; pause = Math.min(LONGEST_POLL, pause * 2)) {
      await sleep(pause)
      const status = await ask(statusSchema, 'guest-exec-status', { pid })
      if (status.exited) return toResult(status)
    }
    throw new HypervisorError('timeout-unknown', `${path} still runs in the guest`)
  }

  return {
    ping: async () => {
      await ask(z.unknown(), 'guest-ping')
    },
    exec,
    writeFile: async (path, content, mode = 0o600) => {
      const beside = `${path}.${randomBytes(4).toString('hex')}.new`
      const handle = await ask(handleSchema, 'guest-file-open', { path: beside, mode: 'w' })
      try {
        const bytes = Buffer.from(content)
        for (let at = 0; at < bytes.length; at += WRITE_CHUNK) {
          const chunk = bytes.subarray(at, at + WRITE_CHUNK).toString('base64')
          await ask(z.unknown(), 'guest-file-write', { handle, 'buf-b64': chunk })
        }
      } finally {
        await ask(z.unknown(), 'guest-file-close', { handle })
      }
      const done = await exec(['/bin/sh', '-c', PUT_IN_PLACE, 'sh', mode.toString(8), beside, path])
      if (done.exitCode !== 0)
        throw new HypervisorError('refused', `the guest did not take ${path}: ${done.stderr.slice(0, 200)}`)
    },
  }
}

function readAnswer<T>(schema: z.ZodType<T>, command: string, answer: string): T {
  try {
    return z.object({ return: schema }).parse(JSON.parse(answer)).return
  } catch (cause) {
    throw new HypervisorError('agent-silent', `the guest's answer to ${command} makes no sense`, { cause })
  }
}

function toResult(status: z.infer<typeof statusSchema>): ExecResult {
  const text = (data: string | undefined) =>
    Buffer.from((data ?? '').slice(0, OUTPUT_LIMIT * 2), 'base64')
      .subarray(0, OUTPUT_LIMIT)
      .toString('utf8')
  return {
    // Ended by a signal: use the number that a shell would return.
    exitCode: status.exitcode ?? 128 + (status.signal ?? 0),
    stdout: text(status['out-data']),
    stderr: text(status['err-data']),
  }
}
