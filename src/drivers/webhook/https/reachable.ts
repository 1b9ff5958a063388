/**
 * Decides which addresses a stranger may make us connect to: only public ones. Anything else (this host, the operator's
 * own networks, the metadata services of clouds) would answer us but not them.
 */
import { bogonReason } from '../../../kernel/bogon.ts'
import { containsPrefix, familyBits, parseAddress, parsePrefix, type Prefix } from '../../../kernel/prefix.ts'

/** Public addresses that are internal in practice: a cloud serves its own machines there. */
const INSIDE: readonly (readonly [prefix: Prefix, why: string])[] = [
  [parsePrefix('168.63.129.16/32'), 'the service address of a cloud'],
]
const LOOPBACK = [parsePrefix('127.0.0.0/8'), parsePrefix('::1/128')]

export interface Reach {
  /** Networks of the operator that customers may not reach through us. */
  readonly denied: readonly Prefix[]
  /** For the demonstration on one machine: plain http, and only to loopback. */
  readonly loopback: boolean
}

/** Returns why we do not connect there, or null if we do. */
export function unreachable(text: string, { denied, loopback }: Reach): string | null {
  const address = parseAddress(text.replace(/%.*$/, ''))
  if (!address) return `${text} is not an address`
  const prefix: Prefix = { family: address.family, network: address.value, length: familyBits(address.family) }
  if (loopback && LOOPBACK.some((own) => containsPrefix(own, prefix))) return null
  const bogon = bogonReason(prefix)
  if (bogon) return `${text} is not on the open Internet: ${bogon}`
  const inside = INSIDE.find(([own]) => containsPrefix(own, prefix))
  if (inside) return `${text} is ${inside[1]}`
  return denied.some((own) => containsPrefix(own, prefix)) ? `${text} is in a network of the operator` : null
}
