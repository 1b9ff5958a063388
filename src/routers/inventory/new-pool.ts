/** Checks whether a segment can hold routers before it is written, because routers cannot be renumbered afterwards. */
import type { FieldProblem } from '../../kernel/problem.ts'
import {
  lastAddress,
  overlaps,
  parseAddress,
  parsePrefix,
  PrefixError,
  tryParsePrefix,
  type Family,
  type Prefix,
} from '../../kernel/prefix.ts'

export interface NewPool {
  readonly prefix4: string
  /** The edge's address on the segment. */
  readonly gateway4: string
  readonly prefix6: string
  readonly gateway6: string
}

type Existing = Pick<NewPool, 'prefix4' | 'prefix6'>

const LENGTHS: Readonly<Record<Family, readonly [number, number]>> = { 4: [8, 30], 6: [32, 96] }

/** Returns everything that is wrong with it, by field. */
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
  const prefix = readPrefix(family, text)
  if (typeof prefix === 'string') return [{ field: `prefix${family}`, message: prefix }]
  const taken = others.find((other) => overlaps(prefix, tryParsePrefix(other)!))
  if (taken) return [{ field: `prefix${family}`, message: `overlaps the pool ${taken}` }]
  const gateway = parseAddress(gatewayText)
  if (gateway?.family === family && isHost(prefix, gateway.value)) return []
  const but = family === 4 ? 'but not its first or last' : 'but not its first'
  return [{ field: `gateway${family}`, message: `must be an address inside ${text}, ${but}` }]
}

/** Returns the prefix, or a sentence that says what is wrong with it. */
function readPrefix(family: Family, text: string): Prefix | string {
  const [shortest, longest] = LENGTHS[family]
  const takes = `must be an IPv${family} prefix of length ${shortest} to ${longest}`
  try {
    const prefix = parsePrefix(text)
    return prefix.family === family && prefix.length >= shortest && prefix.length <= longest ? prefix : takes
  } catch (error) {
    if (error instanceof PrefixError) return `${takes}; ${error.message}`
    throw error
  }
}

/**
 * False for the network's own address, which in IPv6 belongs to every router (RFC 4291 section 2.6.1), and for an IPv4
 * broadcast.
 */
const isHost = (prefix: Prefix, address: bigint): boolean =>
  address > prefix.network && address <= lastAddress(prefix) - (prefix.family === 4 ? 1n : 0n)
