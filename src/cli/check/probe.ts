/** Tries one dependency of the portal, with a time limit. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface Probe {
  readonly name: string
  /** Its address; null where none is set, with the consequence. */
  readonly at: string | null
  readonly unset?: string
  /** Returns what it found. Throws, or ignores the signal, when it fails. */
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
  // A probe that hangs must not hang the check: it is abandoned when its time is up.
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
