/** Whether a segment can hold routers: looked at before it is written, because nobody renumbers them afterwards. */
import type { FieldProblem } from '../../kernel/problem.ts'
import { lastAddress, overlaps, parseAddress, tryParsePrefix, type Family } from '../../kernel/prefix.ts'

export interface NewPool {
  readonly prefix4: string
  /** The edge's address on the segment. */
  readonly gateway4: string
  readonly prefix6: string
  readonly gateway6: string
}

type Existing = Pick<NewPool, 'prefix4' | 'prefix6'>

const LENGTHS: Readonly<Record<Family, readonly [number, number]>> = { 4: [8, 30], 6: [32, 96] }

/** Everything that is wrong with it, by field. */
export const explainPool = (pool: NewPool, others: readonly Existing[]): FieldProblem[] => [
  ...explainFamily(
    4,
    pool.prefix4,
    pool.gateway4,
    others.map((other) => other.prefix4),
  ),
  ...explainFamily(
    6,
    pool.prefix6,
    pool.gateway6,
    others.map((other) => other.prefix6),
  ),
]

function explainFamily(family: Family, text: string, gatewayText: string, others: readonly string[]): FieldProblem[] {
  const prefix = tryParsePrefix(text)
  const [shortest, longest] = LENGTHS[family]
  if (prefix?.family !== family || prefix.length < shortest || prefix.length > longest) {
    return [{ field: `prefix${family}`, message: `takes an IPv${family} prefix of length ${shortest} to ${longest}` }]
  }
  const taken = others.find((other) => overlaps(prefix, tryParsePrefix(other)!))
  if (taken) return [{ field: `prefix${family}`, message: `overlaps the pool ${taken}` }]
  const gateway = parseAddress(gatewayText)
  const inside = gateway?.family === family && gateway.value > prefix.network && gateway.value <= lastAddress(prefix)
  return inside ? [] : [{ field: `gateway${family}`, message: `takes an address inside ${text}` }]
}
