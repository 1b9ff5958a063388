/** The attributes of one object in RPSL (RFC 2622 section 2), as far as the portal reads them. */
import { parseAsn } from '../../../kernel/asn.ts'
import type { AsSetObject, AutNumObject } from '../index.ts'

type Attributes = readonly (readonly [name: string, value: string])[]

const MAX_NAMES = 10_000

/** In order. A line that begins with a blank or `+` continues the one before; `#` begins a comment. */
export function readAttributes(text: string): Attributes {
  const attributes: [name: string, value: string][] = []
  for (const line of text.split('\n')) {
    const [, name, value] = /^([a-z0-9-]+):([^#]*)/i.exec(line) ?? []
    const last = attributes.at(-1)
    if (name !== undefined) attributes.push([name.toLowerCase(), value!.trim()])
    else if (last && /^[ \t+]/.test(line)) last[1] = `${last[1]} ${line.slice(1).replace(/#.*$/, '').trim()}`.trim()
  }
  return attributes
}

export const firstValue = (attributes: Attributes, name: string): string =>
  attributes.find(([key]) => key === name)?.[1] ?? ''

export function readAsSet(text: string, name: string, source: string): AsSetObject | null {
  const attributes = readAttributes(text)
  if (!isObject(attributes, 'as-set', name, source)) return null
  return {
    name,
    source,
    maintainers: namesIn(attributes, 'mnt-by'),
    membersByRef: namesIn(attributes, 'mbrs-by-ref'),
  }
}

export function readAutNum(text: string, asn: number, source: string): AutNumObject | null {
  const attributes = readAttributes(text)
  if (!isObject(attributes, 'aut-num', `AS${asn}`, source)) return null
  return {
    asn,
    source,
    maintainers: namesIn(attributes, 'mnt-by'),
    memberOf: namesIn(attributes, 'member-of'),
    providers: readProviders(attributes),
  }
}

/**
 * Returns the neighbors from which the policy accepts any route and to which it does not announce any route. A provider
 * names its customers in such lines too, and a peer its peers, but with other filters.
 */
function readProviders(attributes: Attributes): number[] {
  const rules = attributes.flatMap(([name, value]) => readRules(name, value))
  const open = (direction: Rule['direction']) =>
    new Set(rules.filter((rule) => rule.direction === direction && rule.isOpen).map(({ neighbor }) => neighbor))
  const customers = open('export')
  return [...open('import')].filter((neighbor) => !customers.has(neighbor))
}

interface Rule {
  readonly direction: 'import' | 'export'
  readonly neighbor: number
  /** Its filter lets any route through. An import filter may exclude some; where in doubt, an export filter is open. */
  readonly isOpen: boolean
}

const DIRECTIONS: ReadonlyMap<string, Rule['direction']> = new Map([
  ['import', 'import'],
  ['mp-import', 'import'],
  ['export', 'export'],
  ['mp-export', 'export'],
])
const OPEN = { import: /^ANY( AND NOT\b.*)?$/i, export: /^ANY\b/i }
const CLAUSE = /\b(from|to|accept|announce) ([^;{}]*?)(?= (?:from|to|accept|announce)\b|[;{}]|$)/gi

/**
 * Reads the clauses of an import or export line (RFC 2622 section 6, RFC 4012 section 2.5): peerings, then one filter
 * for them. An import line with `refine` or `except` gives no rule, because its filters depend on each other.
 */
function readRules(name: string, value: string): Rule[] {
  const direction = DIRECTIONS.get(name)
  if (!direction) return []
  if (direction === 'import' && /\b(?:refine|except)\b/i.test(value)) return []
  const rules: Rule[] = []
  let peerings: number[] = []
  for (const [, keyword = '', text = ''] of value.replaceAll(/\s+/g, ' ').matchAll(CLAUSE)) {
    if (/from|to/i.test(keyword)) {
      // A set or a hierarchical name does not name a single neighbor.
      const neighbor = parseAsn(/^AS\d{1,10}(?![\w:.-])/i.exec(text)?.[0] ?? '')
      if (neighbor !== null) peerings.push(neighbor)
    } else {
      const isOpen = OPEN[direction].test(text.trim())
      rules.push(...peerings.map((neighbor) => ({ direction, neighbor, isOpen })))
      peerings = []
    }
  }
  return rules
}

/** Returns whether the registry returned the requested object: another one would lend its maintainers to this one. */
const isObject = (attributes: Attributes, kind: string, name: string, source: string): boolean =>
  attributes[0]?.[0] === kind &&
  attributes[0][1].toUpperCase() === name &&
  firstValue(attributes, 'source').toUpperCase() === source

const namesIn = (attributes: Attributes, name: string): string[] => [
  ...new Set(
    attributes
      .filter(([key]) => key === name)
      .flatMap(([, value]) => value.toUpperCase().split(/[\s,]+/))
      .filter((word) => /^[A-Z0-9_:-]{1,80}$/.test(word))
      .slice(0, MAX_NAMES),
  ),
]
