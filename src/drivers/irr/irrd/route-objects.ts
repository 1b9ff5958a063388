import { parseAsn } from '../../../kernel/asn.ts'
import { containsPrefix, formatPrefix, tryParsePrefix, type Prefix } from '../../../kernel/prefix.ts'
import type { RouteObject } from '../index.ts'
import { firstValue, readAttributes } from './rpsl.ts'

const MAX_OBJECTS = 1000

/**
 * Returns the route and route6 objects in RPSL text (RFC 2622, RFC 4012) for this prefix or one that covers it. Objects
 * without a prefix, an origin or a source are omitted, because there is nothing to show.
 */
export function readRouteObjects(text: string, wanted: Prefix): RouteObject[] {
  const found = new Map<string, RouteObject>()
  for (const object of text.split(/\n(?:\s*\n)+/)) {
    const route = readObject(object)
    if (!route || !containsPrefix(route.at, wanted) || found.size >= MAX_OBJECTS) continue
    const { at, ...rest } = route
    found.set(`${formatPrefix(at)} ${rest.origin} ${rest.source}`, { prefix: formatPrefix(at), ...rest })
  }
  return [...found.values()]
}

/** Returns the prefixes of a space-separated list, each once and at most a thousand. Anything else is skipped. */
export function readPrefixes(text: string): string[] {
  const found = new Set<string>()
  for (const [word] of text.matchAll(/\S+/g)) {
    const prefix = tryParsePrefix(word)
    if (prefix) found.add(formatPrefix(prefix))
    if (found.size === MAX_OBJECTS) break
  }
  return [...found]
}

function readObject(text: string): { at: Prefix; origin: number; source: string } | null {
  const attributes = readAttributes(text)
  const at = tryParsePrefix(firstValue(attributes, 'route') || firstValue(attributes, 'route6'))
  const origin = parseAsn(firstValue(attributes, 'origin'))
  const source = firstValue(attributes, 'source').toUpperCase()
  // IRRd shows ROAs as route objects of a registry `RPKI`: counting them would count one ROA twice.
  if (source === 'RPKI') return null
  return at && origin !== null && /^[A-Z0-9-]{1,32}$/.test(source) ? { at, origin, source } : null
}
