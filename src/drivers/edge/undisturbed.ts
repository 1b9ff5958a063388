import { EdgeError, type EdgeSession } from './index.ts'

export interface Survey {
  readonly policyChanges: boolean
  /** Sessions that the change should not affect, as they were before it. */
  readonly untouched: readonly EdgeSession[]
}

/** Now and then a session goes down on its own; if more than this share goes down at once, we caused it. */
const COINCIDENCE = 0.05

/**
 * After a change, while it can still be undone: a new policy may restart sessions, but must not leave them without
 * routes.
 */
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
