/** One thing that the portal leans on, tried for a while. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface Probe {
  readonly name: string
  /** Where it is; null where nothing is set, with what follows from that. */
  readonly at: string | null
  readonly unset?: string
  /** Answers what it found. Throws, or ignores the signal, when it fails. */
  readonly attempt: (signal: AbortSignal) => Promise<string>
}

export interface ProbeResult {
  readonly state: 'works' | 'fails' | 'unset'
  readonly line: string
}

export async function tryProbe({ name, at, unset, attempt }: Probe, deadlineMs: number): Promise<ProbeResult> {
  const describe = (state: ProbeResult['state'], text: string): ProbeResult => ({
    state,
    line: `${state.padEnd(5)}  ${name.padEnd(10)}  ${text}`,
  })
  if (at === null) return describe('unset', unset ?? '')
  const over = new AbortController()
  // A part that hangs must not hang the check: it is left behind when its time is up.
  const late = sleep(deadlineMs, undefined, { ref: false }).then(() => {
    over.abort()
    throw new Error(`no answer in ${deadlineMs / 1000} s`)
  })
  try {
    return describe('works', `${at}: ${await Promise.race([attempt(over.signal), late])}`)
  } catch (error) {
    return describe('fails', `${at}: ${(error as Error).message}`)
  } finally {
    late.catch(() => undefined)
  }
}
