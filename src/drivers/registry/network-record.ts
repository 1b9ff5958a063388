/**
 * Parses an RDAP response about a block of addresses (RFC 9083 section 5.4) as hostile input: invalid parts are
 * omitted.
 */
import { z } from 'zod'
import { formatPrefix, lastAddress, parseAddress, type Prefix } from '../../kernel/prefix.ts'
import { contactsOf, readEntities, type Entity } from './autnum-record.ts'
import { RegistryError, type NetworkRecord } from './index.ts'

const networkShape = z.object({
  objectClassName: z.literal('ip network'),
  handle: z.string().max(200).catch(''),
  startAddress: z.string().max(60),
  endAddress: z.string().max(60),
  name: z.string().max(300).nullable().catch(null),
  type: z.string().max(100).nullable().catch(null),
  status: z.array(z.string().max(60)).max(30).catch([]),
  entities: z.array(z.unknown()).max(200).catch([]),
  remarks: z
    .array(z.object({ description: z.array(z.string().max(2000)).max(500).catch([]) }))
    .max(100)
    .catch([]),
  events: z.unknown().optional(),
})

const eventShape = z.object({ eventAction: z.string().max(100), eventDate: z.string().max(60) })

/**
 * Throws {@link RegistryError} if the response is not about a block that contains this prefix. `registry`: the last
 * server that answered.
 */
export function readNetwork(document: unknown, prefix: Prefix, registry: string): NetworkRecord {
  const parsed = networkShape.safeParse(document)
  if (!parsed.success)
    throw new RegistryError('protocol', 'The registry did not answer with a block of addresses.', {
      cause: parsed.error,
    })
  const { handle, name, type, status, entities: documents, remarks, startAddress, endAddress } = parsed.data
  const [from, to] = [parseAddress(startAddress), parseAddress(endAddress)]
  if (
    from?.family !== prefix.family ||
    to?.family !== prefix.family ||
    from.value > prefix.network ||
    to.value < lastAddress(prefix)
  )
    throw new RegistryError('protocol', `The registry answered about other addresses than ${formatPrefix(prefix)}.`)
  const size = to.value - from.value + 1n
  const isPlaceholder =
    size >= LARGEST_BLOCK[prefix.family] ||
    status.includes('reserved') ||
    PLACEHOLDER.test(handle) ||
    PLACEHOLDER.test(name ?? '')
  const base = {
    registry,
    handle: handle || `${startAddress} - ${endAddress}`,
    name,
    type,
    status,
    ...readEvents(parsed.data.events),
    isPlaceholder,
  }
  // The named organization is not a holder: the block belongs to this or another registry.
  if (isPlaceholder) return { ...base, holder: null, registrants: [], contacts: [], remarks: [] }
  const entities = readEntities(documents, 0)
  const registrants = holders(entities)
  return {
    ...base,
    holder: registrants[0]?.name ?? null,
    registrants: holderHandles(entities),
    contacts: contactsOf(entities),
    remarks: remarks.flatMap((remark) => remark.description),
  }
}

/** Returns the entities that a block names, before any is looked up. */
export const entitiesOfNetwork = (document: unknown): Entity[] =>
  readEntities(networkShape.safeParse(document).data?.entities ?? [], 0)

/** A /8 of IPv4 and a /16 of IPv6: only registries hold that much in one block. */
const LARGEST_BLOCK = { 4: 1n << 24n, 6: 1n << 112n } as const
const PLACEHOLDER = /NON-RIPE-NCC-MANAGED|^IANA-|^ERX-NETBLOCK|^(?:APNIC|AFRINIC|LACNIC|RIPE|ARIN)-(?:CIDR-BLK|ERX)/i

/** Returns the organizations that hold it. AFRINIC has sent some without any role. */
const holders = (entities: readonly Entity[]): Entity[] =>
  entities.filter(
    ({ handle, isOrganisation, roles }) =>
      handle !== '' &&
      isOrganisation &&
      (roles.length === 0 || roles.includes('registrant')) &&
      !REGISTRIES_THEMSELVES.test(handle),
  )

/** The registries' own organizations: two customers of one registry do not share a holder. */
const REGISTRIES_THEMSELVES =
  /^(?:ORG-(?:NCC1|IANA1|AFNC1|APNIC)\b.*|ORG-.*RIR.*|IANA|ARIN|APNIC|RIPE|LACNIC|AFRINIC)$/i

export const holderHandles = (entities: readonly Entity[]): string[] => [
  ...new Set(holders(entities).map(({ handle }) => handle.toUpperCase())),
]

function readEvents(events: unknown): Pick<NetworkRecord, 'registeredAt' | 'changedAt'> {
  const known = (Array.isArray(events) ? events.slice(0, 50) : []).flatMap((event: unknown) => {
    const parsed = eventShape.safeParse(event)
    const at = parsed.success ? new Date(parsed.data.eventDate) : null
    return parsed.success && at && !Number.isNaN(at.getTime())
      ? [{ action: parsed.data.eventAction.toLowerCase(), at }]
      : []
  })
  const latest = (action: string) => known.findLast((event) => event.action === action)?.at ?? null
  return { registeredAt: latest('registration'), changedAt: latest('last changed') }
}

/** Returns when the object was registered and last changed; null if the response does not say. */
export const readDates = (document: unknown): ReturnType<typeof readEvents> =>
  readEvents(typeof document === 'object' && document !== null && 'events' in document ? document.events : [])
