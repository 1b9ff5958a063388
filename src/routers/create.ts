/** Orders a router. Everything that can be rejected is rejected here; the rest is written for the reconciler. */
import type { AccountId } from '../kernel/ids.ts'
import { parseSshPublicKey, listSshKeys } from '../accounts/index.ts'
import { conflict, invalid, type FieldProblem } from '../kernel/problem.ts'
import type { Actor } from '../platform/audit.ts'
import type { Db } from '../platform/db/index.ts'
import { reserve } from './capacity.ts'
import { requirePayable, listImages, listPlans } from './inventory/catalogue.ts'
import { recordRouterEvent } from './events.ts'
import { explainTakenName, isTakenName, TAKEN_NAME } from './names.ts'
import { findOwnRouter, type RouterRow } from './queries.ts'

export interface Order {
  readonly name: string
  /** Slugs. */
  readonly site: string
  readonly plan: string
  readonly image: string
  /** Undefined: the account's keys. */
  readonly sshKeys?: readonly string[] | undefined
}

/** Writes the row. `leased` are the short names of the hypervisors that a process drives. Throws 402, 409, 422. */
export async function createRouter(
  db: Db,
  actor: Actor,
  accountId: AccountId,
  order: Order,
  { now, leased }: { now: Date; leased: readonly string[] },
): Promise<RouterRow> {
  await requirePayable(db, accountId)
  const { site, plan, image, ...chosen } = await choose(db, accountId, order)
  if (chosen.problems.length > 0 || !site || !plan || !image) throw invalid(chosen.problems)
  if (site.closed_at !== null)
    throw conflict(`${site.name} does not accept new routers right now. Choose another site.`)
  const sshKeys = order.sshKeys ? chosen.sshKeys : (await listSshKeys(db, accountId)).map((key) => key.publicKey)
  const need = { cpus: plan.cpus, memory: plan.memory, disk: plan.disk_size }
  const place = await reserve(db, site.id, need, { leased, image: image.source, now })

  const insert = db
    .insertInto('routers')
    .values({
      account_id: accountId,
      name: order.name,
      site_id: site.id,
      hypervisor_id: place.hypervisorId,
      plan_id: plan.id,
      setup_price: plan.setup_price,
      image_id: image.id,
      cpus: plan.cpus,
      memory: plan.memory,
      disk_size: plan.disk_size,
      ssh_keys: sshKeys,
      created_at: now,
      desired_at: now,
      due_at: now,
      address_at: now,
    })
    .returning('id')
  const { id } = await explainTakenName(() => insert.executeTakeFirstOrThrow())
  await db
    .insertInto('address_leases')
    .values({
      router_id: id,
      pool_id: place.poolId,
      host_number: place.hostNumber,
      address4: place.address4,
      address6: place.address6,
    })
    .execute()
  await recordRouterEvent(db, actor, { id, account_id: accountId, name: order.name }, 'router.created', {
    site: site.slug,
    plan: plan.slug,
    image: image.slug,
    addresses: [place.address4, place.address6],
  })
  return (await findOwnRouter(db, accountId, id))!
}

/** Validates the fields of an order that are present and returns all issues. */
export async function validateOrder(db: Db, accountId: AccountId, order: Partial<Order>): Promise<FieldProblem[]> {
  return (await choose(db, accountId, order)).problems
}

async function choose(db: Db, accountId: AccountId, order: Partial<Order>) {
  const problems: FieldProblem[] = []
  const found = async <T>(field: string, slug: string | undefined, find: (slug: string) => Promise<T | undefined>) => {
    const row = slug === undefined ? undefined : await find(slug)
    if (slug !== undefined && !row)
      problems.push({ field, message: `there is no ${field} "${slug}": see GET /api/catalogue` })
    return row
  }
  const site = await found('site', order.site, (slug) =>
    db.selectFrom('sites').selectAll().where('slug', '=', slug).executeTakeFirst(),
  )
  const plan = await found('plan', order.plan, (slug) => listPlans(db).where('slug', '=', slug).executeTakeFirst())
  const image = await found('image', order.image, (slug) => listImages(db).where('slug', '=', slug).executeTakeFirst())
  if (order.name !== undefined && (await isTakenName(db, accountId, order.name))) problems.push(TAKEN_NAME)
  const sshKeys = new Set<string>()
  for (const [index, text] of (order.sshKeys ?? []).entries()) {
    const key = parseSshPublicKey(text)
    if ('problem' in key) problems.push({ field: `sshKeys.${index}`, message: key.problem })
    else sshKeys.add(key.publicKey)
  }
  return { site, plan, image, sshKeys: [...sshKeys], problems }
}
