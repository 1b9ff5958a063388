import { MAX_ASN } from '../../../kernel/asn.ts'
import { formatPrefix, tryParsePrefix } from '../../../kernel/prefix.ts'
import { REJECTION_REASONS, type EdgeRoute, type RejectionCode } from '../index.ts'
import type { Reply } from './reply.ts'

/** Parses `show route … all` and skips anything else. `accepted` says which of BIRD's two lists was queried. */
export function parseRoutes(
  reply: Reply,
  context: { localAsn: number; accepted: boolean; limit: number },
): EdgeRoute[] {
  const routes: { prefix: string; origin: number | null; rejection: RejectionCode | null }[] = []
  for (const { text } of reply.lines) {
    const prefix = /^([0-9a-f.:]{2,39}\/\d{1,3})\s+\w+ \[/.exec(text)?.[1]
    if (prefix) {
      const parsed = tryParsePrefix(prefix)
      if (!parsed) continue
      // The last route may have been cut off before its attributes, so read one more than is returned.
      if (routes.length > context.limit) break
      routes.push({ prefix: formatPrefix(parsed), origin: null, rejection: null })
      continue
    }
    const route = routes.at(-1)
    if (route) addAttribute(route, text, context.localAsn)
  }
  const whole = reply.truncated ? routes.slice(0, -1) : routes
  return whole.slice(0, context.limit).map((route) => ({
    prefix: route.prefix,
    origin: route.origin,
    accepted: context.accepted,
    rejection: context.accepted ? null : route.rejection,
  }))
}

function addAttribute(
  route: { origin: number | null; rejection: RejectionCode | null },
  text: string,
  localAsn: number,
): void {
  const attribute = /^\s*BGP\.(as_path|large_community):\s*(.*)$/.exec(text)
  if (attribute?.[1] === 'as_path') {
    // An AS_SET at the end means that there is no single origin (RFC 6811 section 2).
    const last = /(?:^|\s)(\d{1,10})$/.exec(attribute[2]!.trimEnd())?.[1]
    route.origin = last !== undefined && Number(last) <= MAX_ASN ? Number(last) : null
  } else if (attribute) {
    for (const [, asn, kind, value] of attribute[2]!.matchAll(/\((\d+), (\d+), (\d+)\)/g))
      if (Number(asn) === localAsn && kind === '1101') route.rejection = knownRejection(Number(value))
  }
}

export const knownRejection = (code: number): RejectionCode | null =>
  Object.hasOwn(REJECTION_REASONS, code) ? (code as RejectionCode) : null
