import { EdgeError, type EdgeSession } from './index.ts'

export interface Survey {
  readonly policyChanges: boolean
  /** Sessions that the change should leave alone, as they were before it. */
  readonly untouched: readonly EdgeSession[]
}

/** Sessions fall by themselves now and then; more than this share at one moment was us. */
const COINCIDENCE = 0.05

/** After a change, while it can still go back: a new policy may restart sessions, but not empty them of routes. */
export function requireUndisturbed({ policyChanges, untouched }: Survey, sessions: readonly EdgeSession[]): void {
  const byKey = new Map(sessions.map((session) => [keyOf(session), session]))
  const remaining = untouched.map((was) => ({ was, is: byKey.get(keyOf(was)) }))
  if (policyChanges) {
    const established = remaining.filter(({ is }) => is?.state === 'ESTABLISHED')
    const had = sum(established.map(({ was }) => was.accepted))
    const has = sum(established.map(({ is }) => is?.accepted ?? 0))
    if (had > 10 && has < had / 2) rolledBack(`of ${had} accepted routes only ${has} were left`)
  } else {
    const fallen = remaining.filter(({ is }) => is?.state !== 'ESTABLISHED').length
    if (fallen > Math.max(1, remaining.length * COINCIDENCE)) rolledBack(`${fallen} sessions of other customers fell`)
  }
}

const keyOf = ({ customerId, family }: Pick<EdgeSession, 'customerId' | 'family'>): string => `${customerId} ${family}`
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

export function rolledBack(what: string): never {
  throw new EdgeError('rolled-back', `The edge took the change and was put back: ${what}.`)
}
