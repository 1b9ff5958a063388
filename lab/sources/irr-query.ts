/** Returns an IRRd server's response to one command (the whois queries of its documentation). */
import { formatAsn, parseAsn } from '../../src/kernel/asn.ts'
import {
  containsPrefix,
  formatPrefix,
  samePrefix,
  tryParsePrefix,
  type Family,
  type Prefix,
} from '../../src/kernel/prefix.ts'
import type { RpslObject } from './rpsl.ts'

export interface Session {
  /** Registries to search, in this order; null for all. */
  sources: string[] | null
}

type Objects = readonly RpslObject[]

const EMPTY = 'C\n'
const MISSING = 'D\n'
const refused = (why: string) => `F ${why}\n`
const found = (text: string) => (text === '' ? EMPTY : `A${Buffer.byteLength(text) + 1}\n${text}\nC\n`)

export function answerQuery(all: Objects, session: Session, query: string): string {
  const [, command = '', argument = ''] = /^!([a-z0-9])(.*)$/i.exec(query) ?? []
  const objects = visible(all, session)
  switch (command.toLowerCase()) {
    case 'n':
    case 't':
      return EMPTY
    case 'v':
      return found('IRRd -- version 4.4.0 (laboratory)')
    case 's':
      return chooseSources(all, session, argument)
    case 'g':
    case '6':
      return originated(objects, argument, command === '6' ? 6 : 4)
    case 'i':
      return members(objects, argument)
    case 'm':
      return object(objects, argument)
    case 'a':
      return setPrefixes(objects, argument)
    case 'r':
      return routes(objects, argument)
    default:
      return refused(`Unrecognised command: ${query.slice(0, 40)}`)
  }
}

function visible(all: Objects, { sources }: Session): Objects {
  return sources ? sources.flatMap((source) => all.filter((object) => object.source === source)) : all
}

function chooseSources(all: Objects, session: Session, argument: string): string {
  const known = [...new Set(all.map((object) => object.source))]
  if (argument === '-lc') return found((session.sources ?? known).join(','))
  const wanted = argument.toUpperCase().split(',')
  if (!wanted.every((source) => known.includes(source))) return refused('One or more selected sources are unavailable.')
  session.sources = wanted
  return EMPTY
}

function originated(objects: Objects, argument: string, family: Family): string {
  const asn = parseAsn(argument)
  if (asn === null) return refused(`Invalid AS number: ${argument.slice(0, 40)}`)
  const prefixes = prefixesOf(objects, new Set([asn]), [family])
  return prefixes.length === 0 ? MISSING : found(prefixes.join(' '))
}

function members(objects: Objects, argument: string): string {
  const [, name = '', recursive] = /^(.*?)(,1)?$/.exec(argument) ?? []
  const set = findSet(objects, name)
  if (!set) return MISSING
  if (!recursive) return found(membersOf(objects, set).join(' '))
  return found([...expand(objects, set)].map(formatAsn).join(' '))
}

/** Returns listed members, and those that joined: both sides have to agree (RFC 2622 section 5.1). */
function membersOf(objects: Objects, set: RpslObject): string[] {
  const joined = objects.filter(
    (candidate) =>
      candidate.kind === 'aut-num' &&
      candidate.source === set.source &&
      candidate.memberOf.includes(set.name) &&
      set.membersByRef.some((allowed) => allowed === 'ANY' || candidate.maintainers.includes(allowed)),
  )
  return [...new Set([...set.members, ...joined.map((candidate) => candidate.name)])]
}

/** Returns the whole object. Keys are compared as IRRd does: in capitals only. */
function object(objects: Objects, argument: string): string {
  const [kind = '', key = ''] = argument.split(',')
  const hit = objects.find((candidate) => candidate.kind === kind.toLowerCase() && candidate.name === key)
  return hit ? found(hit.text) : MISSING
}

function setPrefixes(objects: Objects, argument: string): string {
  const [, family, name = ''] = /^([46])?(.*)$/.exec(argument) ?? []
  if (name === '') return refused('Missing required set name for A query')
  const set = findSet(objects, name)
  if (!set) return MISSING
  const families: Family[] = family === '4' ? [4] : family === '6' ? [6] : [4, 6]
  return found(prefixesOf(objects, expand(objects, set), families).join(' '))
}

function routes(objects: Objects, argument: string): string {
  const [text = '', option = ''] = argument.split(',')
  const prefix = tryParsePrefix(text)
  if (!prefix) return refused(`Invalid input for route search: ${argument.slice(0, 60)}`)
  const hits = objects.filter((object) => object.prefix && isHit(object.prefix, prefix, option))
  if (hits.length === 0) return MISSING
  if (option === 'o') return found([...new Set(hits.map((object) => formatAsn(object.origin ?? 0)))].join(' '))
  return found(hits.map((object) => object.text).join('\n'))
}

function isHit(held: Prefix, wanted: Prefix, option: string): boolean {
  if (option === 'L') return containsPrefix(held, wanted)
  if (option === 'l') return containsPrefix(held, wanted) && !samePrefix(held, wanted)
  if (option === 'M') return containsPrefix(wanted, held) && !samePrefix(held, wanted)
  return samePrefix(held, wanted)
}

const findSet = (objects: Objects, name: string) =>
  objects.find((object) => object.kind === 'as-set' && object.name === name.toUpperCase())

/** Returns all ASNs under a set; sets may contain one another, and themselves. */
function expand(objects: Objects, root: RpslObject): Set<number> {
  const asns = new Set<number>()
  const seen = new Set<RpslObject>()
  const visit = (set: RpslObject) => {
    if (seen.has(set)) return
    seen.add(set)
    for (const member of membersOf(objects, set)) {
      const asn = parseAsn(member)
      const inner = asn === null ? findSet(objects, member) : undefined
      if (asn !== null) asns.add(asn)
      else if (inner) visit(inner)
    }
  }
  visit(root)
  return asns
}

function prefixesOf(objects: Objects, asns: ReadonlySet<number>, families: readonly Family[]): string[] {
  const prefixes = objects
    .filter((object) => object.prefix && families.includes(object.prefix.family) && asns.has(object.origin ?? -1))
    .map((object) => formatPrefix(object.prefix!))
  return [...new Set(prefixes)]
}
