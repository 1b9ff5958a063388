/** Parses an RDAP response about an AS number (RFC 9083 section 5.5) as hostile input: invalid parts are omitted. */
import { z } from 'zod'
import { RegistryError, type AutnumRecord, type RegistryContact } from './index.ts'

const entityShape = z.object({
  handle: z.string().max(200).catch(''),
  roles: z.array(z.string().max(60)).max(30).catch([]),
  vcardArray: z.unknown().optional(),
  entities: z.array(z.unknown()).max(200).catch([]),
})
const autnumShape = z.object({
  objectClassName: z.literal('autnum'),
  handle: z.string().max(200).catch(''),
  startAutnum: z.int().nonnegative().optional(),
  endAutnum: z.int().nonnegative().optional(),
  name: z.string().max(300).nullable().catch(null),
  entities: z.array(z.unknown()).max(200).catch([]),
  remarks: z
    .array(z.object({ description: z.array(z.string().max(2000)).max(500).catch([]) }))
    .max(100)
    .catch([]),
})

export interface Entity {
  readonly handle: string
  readonly roles: readonly string[]
  readonly name: string | null
  readonly isOrganisation: boolean
  readonly emails: readonly string[]
}

export interface ParsedAutnum {
  readonly handle: string
  readonly name: string | null
  readonly entities: readonly Entity[]
  readonly remarks: readonly string[]
}

const MAX_DEPTH = 4
const MAX_ENTITIES = 200

/** Throws {@link RegistryError} if the response is not about this number. */
export function readAutnum(document: unknown, asn: number): ParsedAutnum {
  const parsed = autnumShape.safeParse(document)
  if (!parsed.success)
    throw new RegistryError('protocol', 'The registry did not answer with an AS number.', { cause: parsed.error })
  const { handle, name, startAutnum, endAutnum = startAutnum, entities, remarks } = parsed.data
  const isAbout =
    startAutnum === undefined ? handle.toUpperCase() === `AS${asn}` : startAutnum <= asn && asn <= endAutnum!
  if (!isAbout) throw new RegistryError('protocol', `The registry answered about another number than AS${asn}.`)
  return {
    handle: handle || `AS${asn}`,
    name,
    entities: readEntities(entities, 0),
    remarks: remarks.flatMap((remark) => remark.description),
  }
}

/** Returns one entity that was requested by its handle. Entities within it are contacts of others, and are skipped. */
export const readEntity = (document: unknown): Entity | null => {
  const parsed = entityShape.safeParse(document)
  return parsed.success ? describe(parsed.data) : null
}

export function readEntities(documents: readonly unknown[], depth: number): Entity[] {
  if (depth >= MAX_DEPTH) return []
  return documents
    .flatMap((document) => {
      const parsed = entityShape.safeParse(document)
      if (!parsed.success || isMaintainer(parsed.data.handle)) return []
      return [describe(parsed.data), ...readEntities(parsed.data.entities, depth + 1)]
    })
    .slice(0, MAX_ENTITIES)
}

/**
 * RIPE NCC lists maintainers as registrants, its own (`RIPE-NCC-END-MNT`) among them. They are keys to an object, not
 * its holder. An email sent there could give control of a number to a stranger.
 */
const isMaintainer = (handle: string): boolean => /(?:^|-)MNT(?:-|$)/i.test(handle)

function describe({ handle, roles, vcardArray }: z.output<typeof entityShape>): Entity {
  const card = readCard(vcardArray)
  const texts = (property: string) => card.filter(([name]) => name === property).map(([, text]) => text)
  return {
    handle,
    roles,
    name:
      texts('fn')
        .find((text) => text.trim() !== '')
        ?.slice(0, 300) ?? null,
    isOrganisation: texts('kind').includes('org'),
    emails: texts('email').filter((text) => /^[^\s@<>,;:"\\()[\]]{1,64}@[a-z0-9.-]{1,190}$/i.test(text)),
  }
}

/** Returns the text properties of a jCard (RFC 7095): `["vcard", [["email", {}, "text", "noc@example.net"], …]]`. */
function readCard(card: unknown): [name: string, text: string][] {
  const properties: unknown = Array.isArray(card) ? card[1] : null
  if (!Array.isArray(properties)) return []
  return properties.slice(0, 200).flatMap((property: unknown) => {
    if (!Array.isArray(property)) return []
    const [name, , , text] = property as unknown[]
    return typeof name === 'string' && typeof text === 'string' ? [[name.toLowerCase(), text] as [string, string]] : []
  })
}

export function assembleRecord(
  asn: number,
  { handle, name, remarks }: ParsedAutnum,
  entities: readonly Entity[],
): Omit<AutnumRecord, 'changedAt'> {
  const registrants = entities.filter((entity) => entity.roles.includes('registrant') && entity.name !== null)
  const registrant = registrants.find((entity) => entity.isOrganisation) ?? registrants[0]
  return {
    asn,
    handle,
    holder: registrant?.name ?? name,
    registrants: handlesOf(entities),
    contacts: contactsOf(entities),
    remarks,
  }
}

/** Handles with a role for this number. They need no further lookup, so a failed one does not change them. */
const handlesOf = (entities: readonly Entity[]): string[] => [
  ...new Set(
    entities
      .filter(({ roles, handle }) => roles.includes('registrant') && handle !== '')
      .map(({ handle }) => handle.toUpperCase()),
  ),
]

/** Returns one entry per address, with all its roles. */
export function contactsOf(entities: readonly Entity[]): RegistryContact[] {
  const contacts = new Map<string, RegistryContact>()
  for (const entity of entities)
    for (const email of entity.emails) {
      const key = email.toLowerCase()
      const known = contacts.get(key)
      const roles = [...new Set([...(known?.roles ?? []), ...entity.roles])]
      contacts.set(key, { email: known?.email ?? email, roles, source: known?.source ?? entity.handle })
    }
  return [...contacts.values()]
}
