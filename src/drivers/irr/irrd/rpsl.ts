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
  const policies = attributes.filter(([name]) => /^(?:mp-)?(?:import|export)$/.test(name))
  // A set or a hierarchical name after `to` or `from` does not name a single neighbor.
  const neighbors = policies.flatMap(([, value]) =>
    [...value.matchAll(/\b(?:from|to)\s+(AS\d{1,10})(?![\w:.-])/gi)].map((match) => parseAsn(match[1]!)),
  )
  return {
    asn,
    source,
    maintainers: namesIn(attributes, 'mnt-by'),
    memberOf: namesIn(attributes, 'member-of'),
    neighbors: [...new Set(neighbors)].filter((neighbor) => neighbor !== null),
  }
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
