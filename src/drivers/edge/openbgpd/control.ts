/**
 * Queries bgpd through `bgpctl`, since the control socket uses a binary format that depends on the version. Arguments
 * are a list; no shell.
 */
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEffect } from '../../../kernel/effects.ts'
import { EdgeError } from '../index.ts'

const DEADLINE_MS = 10_000
const MAX_OUTPUT = 256 << 20

export interface AskOptions {
  readonly deadlineMs?: number
  /** Stop reading after this much; `truncated` then says that there was more. */
  readonly maxSize?: number
}

export interface Output {
  readonly text: string
  readonly truncated: boolean
}

export type Ask = (args: readonly string[], options?: AskOptions) => Promise<Output>

/** Throws `EdgeError` unreachable or timeout. */
export const bgpctl =
  (socket: string): Ask =>
  (args, options = {}) =>
    run('bgpctl', ['-s', socket, ...args], options)

/** Throws `EdgeError` refused with bgpd's error lines. */
export async function checkConfiguration(file: string): Promise<void> {
  const { text, code } = await execute('bgpd', ['-n', '-f', file], { deadlineMs: 60_000 })
  if (code === 0) return
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('configuration OK'))
  throw new EdgeError('refused', `The edge refused the configuration: ${lines.slice(0, 3).join('; ').slice(0, 600)}`)
}

/** bgpd exits with 0 even for a rejected reload, so its output decides. */
export async function reload(ask: Ask, deadlineMs: number): Promise<void> {
  const deadline = Date.now() + deadlineMs
  for (;;) {
    beforeEffect()
    const { text } = await ask(['reload'], { deadlineMs })
    if (text.includes('request processed')) return
    if (text.includes('config file has errors'))
      throw new EdgeError('refused', 'The edge refused the configuration: bgpd has the line in its log.')
    if (/permission|not permitted/i.test(text))
      throw new EdgeError('internal', 'bgpd allows this process no reload: run it as root, with the control socket.')
    // "previous reload still running"
    if (Date.now() > deadline) throw new EdgeError('timeout', `The edge does not load: ${text.trim().slice(0, 200)}`)
    await sleep(500)
  }
}

async function run(program: string, args: readonly string[], options: AskOptions): Promise<Output> {
  const { text, code, truncated } = await execute(program, args, options)
  if (code === 0 || truncated) return { text, truncated }
  const why = text.trim().split('\n').at(-1)!.slice(0, 200)
  throw new EdgeError('unreachable', `The edge does not answer on its control socket: ${why}. Is bgpd running?`)
}

function execute(
  program: string,
  args: readonly string[],
  { deadlineMs = DEADLINE_MS, maxSize = MAX_OUTPUT }: AskOptions,
): Promise<Output & { readonly code: number | null }> {
  beforeEffect()
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks: Buffer[] = []
    let size = 0
    let truncated = false
    let late = false
    const timer = setTimeout(() => {
      late = true
      child.kill('SIGKILL')
    }, deadlineMs)
    const take = (chunk: Buffer): void => {
      if (truncated) return
      chunks.push(chunk)
      size += chunk.length
      truncated = size > maxSize
      if (truncated) child.kill('SIGKILL')
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.once('error', (cause) => {
      clearTimeout(timer)
      reject(new EdgeError('refused', `${program} cannot be run: is OpenBGPD installed on this machine?`, { cause }))
    })
    child.once('close', (code) => {
      clearTimeout(timer)
      if (late) reject(new EdgeError('timeout', `The edge did not answer within ${deadlineMs / 1000} seconds.`))
      else resolve({ text: Buffer.concat(chunks).toString('utf8'), code, truncated })
    })
  })
}
