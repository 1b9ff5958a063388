/** The edges, and the sites that each serves. */
import { conflict, invalid, notFound } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import { NO_EDGE } from '../../platform/settings.ts'
import { violates } from '../../platform/db/constraint.ts'
import type { Db } from '../../platform/db/index.ts'
import { recordEdgeEvent } from '../events.ts'
import { withUniqueNames, type UniqueNameKind } from '../../platform/unique-names.ts'
import { edgeOfSite } from './edge-assignment.ts'
import { requireKeysSupported } from './edge-lacks.ts'

const EDGE: UniqueNameKind = { table: 'transit_edges', a: 'an edge' }

export interface NewEdge {
  readonly slug: string
  readonly name: string
  /** Moved from the edges that serve them now. */
  readonly sites?: readonly number[] | undefined
  readonly bgpIdentifier?: string | null | undefined
}

export async function addEdge(
  db: Db,
  actor: Actor,
  { slug, name, sites = [], bgpIdentifier = null }: NewEdge,
): Promise<number> {
  if (slug === NO_EDGE) throw invalid([{ field: 'slug', message: `is reserved: EDGE_NAME=${NO_EDGE} means no edge` }])
  await requireSitesServed(db)
  const added = await withUniqueNames(db, EDGE, { slug, name }, () =>
    db.insertInto('transit_edges').values({ slug, name }).returning('id').executeTakeFirstOrThrow(),
  )
  if (bgpIdentifier !== null) await setBgpIdentifier(db, added.id, bgpIdentifier)
  await serve(db, added.id, sites)
  await recordEdgeEvent(db, actor, 'edge.added', added.id, {
    slug,
    name,
    sites,
    ...(bgpIdentifier !== null && { bgpIdentifier }),
  })
  return added.id
}

/** Stores the sites that the only edge serves implicitly, so that it still serves them beside a second edge. */
const requireSitesServed = (db: Db): Promise<unknown> =>
  db
    .insertInto('transit_edge_sites')
    .columns(['site_id', 'edge_id'])
    .expression((eb) =>
      eb
        .selectFrom('sites')
        .leftJoin('transit_edge_sites as served', 'served.site_id', 'sites.id')
        .select(['sites.id', edgeOfSite.$notNull().as('edge_id')])
        .where('served.edge_id', 'is', null)
        .where(edgeOfSite, 'is not', null),
    )
    .execute()

export interface EdgeChange {
  readonly name?: string | undefined
  /** The complete list of sites that it serves. */
  readonly sites?: readonly number[] | undefined
  /** Null: any identifier that its agent reports, as long as no other edge has it. */
  readonly bgpIdentifier?: string | null | undefined
}

export async function changeEdge(
  db: Db,
  actor: Actor,
  id: number,
  { name, sites, bgpIdentifier }: EdgeChange,
): Promise<void> {
  const before = await db
    .selectFrom('transit_edges')
    .select(['name', 'bgp_identifier'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!before) throw notFound()
  const renamed = name !== undefined && name !== before.name
  if (renamed)
    await withUniqueNames(db, EDGE, { id, name }, () =>
      db.updateTable('transit_edges').set({ name }).where('id', '=', id).execute(),
    )
  const moved = sites !== undefined && (await serve(db, id, sites))
  const identified = bgpIdentifier !== undefined && bgpIdentifier !== before.bgp_identifier
  if (identified) await setBgpIdentifier(db, id, bgpIdentifier)
  if (!renamed && !moved && !identified) return
  const changed = { ...(renamed && { name }), ...(moved && { sites }), ...(identified && { bgpIdentifier }) }
  await recordEdgeEvent(db, actor, 'edge.changed', id, changed)
}

/** Throws 409 when staff set the identifier for another edge. An identifier that another agent merely claims does not count. */
async function setBgpIdentifier(db: Db, id: number, bgpIdentifier: string | null): Promise<void> {
  try {
    await db.updateTable('transit_edges').set({ bgp_identifier: bgpIdentifier }).where('id', '=', id).execute()
  } catch (error) {
    if (violates(error, 'transit_edges_bgp_identifier_key'))
      throw conflict(`${bgpIdentifier} is the BGP identifier of another edge.`, 'in_use')
    throw error
  }
}

/** Removes only an edge that serves and carries nothing. Otherwise its connections would stay on a router that no process drives. */
export async function removeEdge(db: Db, actor: Actor, id: number): Promise<void> {
  // Locks all edges. Otherwise two removals at once could each count the other edge as remaining.
  const edges = await db.selectFrom('transit_edges').select(['id', 'slug']).orderBy('id').forUpdate().execute()
  const edge = edges.find((one) => one.id === id)
  if (!edge) throw notFound()
  if (edges.length === 1) throw conflict('This is the only edge.')
  const serves = await db
    .selectFrom('transit_edge_sites')
    .select('site_id')
    .where('edge_id', '=', id)
    .executeTakeFirst()
  if (serves) throw conflict('This edge still serves sites. Move them to another edge first.', 'in_use')
  const carries = await db.selectFrom('transit_connections').select('id').where('edge_id', '=', id).executeTakeFirst()
  const holds = await db
    .selectFrom('transit_prefixes')
    .select('id')
    .where('imported_edge', '=', id)
    .where('imported_at', 'is not', null)
    .executeTakeFirst()
  if (carries || holds) throw conflict('This edge still carries connections. Wait until it has dropped them.', 'in_use')
  await db.deleteFrom('transit_edges').where('id', '=', id).execute()
  await recordEdgeEvent(db, actor, 'edge.removed', id, { slug: edge.slug })
}

/** Returns true when this changed anything. */
async function serve(db: Db, id: number, sites: readonly number[]): Promise<boolean> {
  const known = await db
    .selectFrom('sites')
    .leftJoin('transit_edge_sites as served', 'served.site_id', 'sites.id')
    .select(['sites.id', 'served.edge_id'])
    .execute()
  if (sites.some((site) => known.every((one) => one.id !== site)))
    throw invalid([{ field: 'sites', message: 'includes a site that does not exist' }])
  const wanted = new Set(sites)
  const given = known.filter((site) => wanted.has(site.id) && site.edge_id !== id)
  const taken = known.filter((site) => !wanted.has(site.id) && site.edge_id === id)
  if (given.length + taken.length === 0) return false
  if (given.length > 0)
    await requireKeysSupported(
      db,
      id,
      given.map((site) => site.id),
    )
  for (const { id: site_id } of taken)
    await db.deleteFrom('transit_edge_sites').where('site_id', '=', site_id).execute()
  for (const { id: site_id } of given) {
    await db
      .insertInto('transit_edge_sites')
      .values({ site_id, edge_id: id })
      .onConflict((clash) => clash.column('site_id').doUpdateSet({ edge_id: id }))
      .execute()
  }
  return true
}

/** Every edge process gets the change event, because sites of one edge may now belong to another. */
