/**
 * Expands an AS-SET, one level at a time. A server expands a set over all its registries at once (`!i,1`). A stranger's
 * set in a registry that anyone may write to would then fill a gap in an honest one. Here a nested set is looked up in
 * its parent's registry first, and members from elsewhere are marked.
 */
import { parseAsn, reservedAsnReason } from '../../../kernel/asn.ts'
import {
  isAsSetName,
  isAuthoritative,
  splitAsSetName,
  type AsSetAnswer,
  type AsSetMember,
  type AsSetObject,
} from '../index.ts'

/** A set that expands to more is a whole region of the Internet, not a customer's list of downstreams. */
const MAX_ASNS = 10_000
const MAX_SETS = 500
const MAX_DEPTH = 20

export interface FoundSet {
  readonly object: AsSetObject
  /** ASNs and set names, as the registry lists them. */
  readonly members: readonly string[]
}

/** Looks up sets in one registry; missing ones are omitted. */
export type FindSets = (source: string, names: readonly string[]) => Promise<ReadonlyMap<string, FoundSet>>

interface Step {
  readonly name: string
  /** The registry of its parent. */
  readonly near: string | null
  readonly path: readonly string[]
  readonly weak: boolean
}

interface Resolved extends FoundSet {
  /** Other authoritative registries with a set of the same short name. */
  readonly alsoIn: readonly string[]
}

export async function expandSet(
  wanted: { readonly source: string | null; readonly name: string },
  sources: readonly string[],
  find: FindSets,
): Promise<AsSetAnswer> {
  const root = await findRoot(wanted, sources, find)
  if (!root) return { kind: 'missing' }
  if (root.alsoIn.length > 0) return { kind: 'ambiguous', sources: [root.object.source, ...root.alsoIn] }

  const known = new Map<string, Resolved | null>([[keyOf({ name: wanted.name, near: null }), root]])
  const visited = new Map<string, { weak: boolean }>()
  const members = new Map<number, AsSetMember>()
  const reserved = new Set<number>()
  let truncated = false
  let level: Step[] = [{ name: wanted.name, near: null, path: [], weak: false }]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= MAX_DEPTH) {
      truncated = true
      break
    }
    await resolve(level, known, sources, find)
    const next = new Map<string, Step>()
    for (const step of level) {
      const set = known.get(keyOf(step))
      if (!set) continue
      const { source, name } = set.object
      const id = `${source}::${name}`
      const weak = step.weak || !isAuthoritative(source) || set.alsoIn.length > 0
      const before = visited.get(id)
      if (before && (!before.weak || weak)) continue
      if (!before && visited.size >= MAX_SETS) {
        truncated = true
        continue
      }
      visited.set(id, { weak })
      const path = [...step.path, id]
      for (const text of set.members) {
        const asn = parseAsn(text)
        if (asn !== null) {
          if (reservedAsnReason(asn)) reserved.add(asn)
          else if (members.has(asn) ? members.get(asn)!.weak && !weak : members.size < MAX_ASNS)
            members.set(asn, { asn, path, weak })
          else if (!members.has(asn)) truncated = true
        } else if (isAsSetName(text)) {
          const inner = { name: splitAsSetName(text).name, near: source, path, weak }
          next.set(`${keyOf(inner)} ${weak}`, inner)
        }
      }
    }
    level = [...next.values()]
  }
  return {
    kind: 'found',
    object: root.object,
    members: [...members.values()].toSorted((a, b) => a.asn - b.asn),
    reserved: [...reserved].toSorted((a, b) => a - b).slice(0, MAX_ASNS),
    truncated,
  }
}

const keyOf = ({ name, near }: Pick<Step, 'name' | 'near'>): string => `${near ?? ''} ${name}`

async function findRoot(
  { source, name }: { readonly source: string | null; readonly name: string },
  sources: readonly string[],
  find: FindSets,
): Promise<Resolved | null> {
  if (source === null) return (await findAnywhere([name], sources, find)).get(name) ?? null
  const set = (await find(source, [name])).get(name)
  return set ? { ...set, alsoIn: [] } : null
}

/** Looks up the sets of one level that are not known yet. */
async function resolve(
  level: readonly Step[],
  known: Map<string, Resolved | null>,
  sources: readonly string[],
  find: FindSets,
): Promise<void> {
  const open = level.filter((step) => !known.has(keyOf(step)))
  for (const near of new Set(open.map((step) => step.near!))) {
    const names = [...new Set(open.filter((step) => step.near === near).map((step) => step.name))].slice(0, MAX_SETS)
    const found = await find(near, names)
    const missing = names.filter((name) => !found.has(name))
    const others = sources.filter((source) => source !== near)
    const elsewhere = missing.length > 0 ? await findAnywhere(missing, others, find) : new Map<string, Resolved>()
    for (const name of names) {
      const here = found.get(name)
      known.set(keyOf({ name, near }), here ? { ...here, alsoIn: [] } : (elsewhere.get(name) ?? null))
    }
  }
}

async function findAnywhere(
  names: readonly string[],
  sources: readonly string[],
  find: FindSets,
): Promise<Map<string, Resolved>> {
  const bySource: ReadonlyMap<string, FoundSet>[] = []
  for (const source of sources) bySource.push(await find(source, names))
  const resolved = new Map<string, Resolved>()
  for (const name of names) {
    const hits = bySource.flatMap((found) => found.get(name) ?? [])
    const trusted = hits.filter((hit) => isAuthoritative(hit.object.source))
    const [first, ...others] = trusted.length > 0 ? trusted : hits.slice(0, 1)
    // The ASN in front of a hierarchical name has the same holder in every registry.
    const alsoIn = /^AS\d/.test(name) ? [] : others.map((hit) => hit.object.source)
    if (first) resolved.set(name, { ...first, alsoIn })
  }
  return resolved
}
