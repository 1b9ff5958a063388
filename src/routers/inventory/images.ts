/** The images that routers boot: what is offered, and the files that the hypervisors report. */
import { z } from 'zod'
import type { ImageInfo } from '../../drivers/hypervisor/index.ts'
import { conflict, notFound } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { withUniqueNames, type UniqueNameKind } from '../../platform/unique-names.ts'
import type { InventoryImage } from './contract.ts'
import { differences, recordInventoryChange } from './record.ts'

const IMAGE: UniqueNameKind = { table: 'images', a: 'an image', retires: true }

export interface NewImage {
  readonly slug: string
  readonly name: string
  readonly description: string
  /** The hypervisor's name for it. */
  readonly source: string
}

/** In the order of the catalogue: the first is the default. */
export async function listInventoryImages(
  db: Db,
  hosts: readonly HypervisorImages[],
  id?: number,
): Promise<InventoryImage[]> {
  const rows = await db
    .selectFrom('images')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('routers')
        .select((of) => of.fn.countAll<number>().as('count'))
        .whereRef('routers.image_id', '=', 'images.id')
        .as('routers'),
    )
    .orderBy('position')
    .orderBy('id')
    .execute()
  const first = rows.find((row) => row.retired_at === null)
  return rows
    .filter((row) => id === undefined || row.id === id)
    .map((row) => {
      const held = hosts.map(({ name, images }) => ({ name, file: images.find((one) => one.name === row.source) }))
      const file = held.find((host) => host.file)?.file
      return {
        id: row.id,
        slug: row.slug,
        name: row.name,
        description: row.description,
        source: row.source,
        isDefault: row === first,
        retiredAt: row.retired_at?.toISOString() ?? null,
        routers: row.routers ?? 0,
        file: file ? { ...file, builtAt: file.builtAt?.toISOString() ?? null } : null,
        lackedBy: held.filter((host) => !host.file).map(({ name }) => name),
        differsAt: held.filter((host) => host.file && host.file.digest !== file?.digest).map(({ name }) => name),
      }
    })
}

/** As `ImageInfo` was stored. */
const reportedImages = z.array(
  z.object({
    name: z.string(),
    digest: z.string().nullable(),
    bytes: z.int().nullable(),
    location: z.string().nullable(),
    version: z.string().nullable(),
    builtAt: z.coerce.date().nullable(),
  }),
)

/** The images that a host last reported. */
export interface HypervisorImages {
  readonly name: string
  readonly images: readonly ImageInfo[]
}

/** Returns the hosts that have reported. */
export async function imagesAtHypervisors(db: Db): Promise<HypervisorImages[]> {
  const rows = await db
    .selectFrom('hypervisors')
    .select(['name', 'images'])
    .where('images', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.map(({ name, images }) => ({ name, images: reportedImages.safeParse(images).data ?? [] }))
}

/** Returns the first of the files that share a name. */
export function distinctFiles(hosts: readonly HypervisorImages[]): ImageInfo[] {
  const files = hosts.flatMap(({ images }) => images)
  return files.filter(({ name }, index) => files.findIndex((one) => one.name === name) === index)
}

export async function addImage(db: Db, actor: Actor, image: NewImage): Promise<number> {
  const added = await withUniqueNames(db, IMAGE, image, () =>
    db
      .insertInto('images')
      .values((eb) => ({
        ...image,
        position: eb
          .selectFrom('images')
          .select((of) => eb(of.fn.coalesce(of.fn.max('position'), eb.lit(-1)), '+', 1).as('n')),
      }))
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  await recordInventoryChange(db, actor, 'image.added', added.id, image)
  return added.id
}

export interface ImageChange {
  readonly name?: string | undefined
  readonly description?: string | undefined
  /** It can no longer be chosen; routers that boot it keep doing so. */
  readonly retired?: boolean | undefined
  /** True puts it first. */
  readonly default?: true | undefined
}

export async function changeImage(db: Db, actor: Actor, id: number, change: ImageChange, now: Date): Promise<void> {
  const images = await db
    .selectFrom('images')
    .select(['id', 'name', 'description', 'position', 'retired_at'])
    .orderBy('position')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const before = images.find((image) => image.id === id)
  if (!before) throw notFound()
  const offered = images.filter((image) => image.retired_at === null)
  const retired = change.retired ?? before.retired_at !== null
  if (change.default && retired) throw conflict('A retired image can’t be the default. Publish it again first.')
  if (retired && offered.every((image) => image.id === id) && before.retired_at === null) {
    throw conflict('This is the only published image. Customers need one to order routers.')
  }
  const changed = differences(
    {
      name: before.name,
      description: before.description,
      retired: before.retired_at !== null,
      default: offered[0]?.id === id,
    },
    change,
  )
  if (!changed) return
  const update = db
    .updateTable('images')
    .set({
      name: change.name ?? before.name,
      description: change.description ?? before.description,
      retired_at: retired ? (before.retired_at ?? now) : null,
      position: 'default' in changed.after ? images[0]!.position - 1 : before.position,
    })
    .where('id', '=', id)
  await withUniqueNames(db, IMAGE, { id, name: change.name }, () => update.execute())
  await recordInventoryChange(db, actor, 'image.changed', id, changed)
}
