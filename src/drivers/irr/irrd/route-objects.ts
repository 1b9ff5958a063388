import { parseAsn } from '../../../kernel/asn.ts'
import { containsPrefix, formatPrefix, tryParsePrefix, type Prefix } from '../../../kernel/prefix.ts'
import type { RouteObject } from '../index.ts'

const MAX_OBJECTS = 1000

/**
 * The route and route6 objects in RPSL text (RFC 2622, RFC 4012) that speak of this prefix or one around it. An object
 * that lacks a prefix, an origin or a source says nothing that could be shown, and is left out.
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

function readObject(text: string): { at: Prefix; origin: number; source: string } | null {
  const attributes = new Map<string, string>()
  for (const line of text.split('\n')) {
    // Lines that go on (blank or + in front) and comments carry nothing of the three wanted here.
    const attribute = /^([a-z0-9-]+):([^#]*)/i.exec(line)
    if (attribute) attributes.set(attribute[1]!.toLowerCase(), attribute[2]!.trim())
  }
  const at = tryParsePrefix(attributes.get('route') ?? attributes.get('route6') ?? '')
  const origin = parseAsn(attributes.get('origin') ?? '')
  const source = attributes.get('source')?.toUpperCase() ?? ''
  return at && origin !== null && /^[A-Z0-9-]{1,32}$/.test(source) ? { at, origin, source } : null
}
