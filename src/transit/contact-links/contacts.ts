/** Looks up the contacts that a registry lists for a block of addresses or for an ASN, while a member of staff waits. */
import { provesNumber, RegistryError, type RegistryContact } from '../../drivers/registry/index.ts'
import { formatAsn } from '../../kernel/asn.ts'
import { unavailable } from '../../kernel/problem.ts'
import { parsePrefix } from '../../kernel/prefix.ts'
import type { TransitDeps } from '../deps.ts'

const DEADLINE_MS = 10_000

export interface Registration {
  /** A block or an ASN, as text. */
  readonly subject: string
  readonly registry: string
  readonly handle: string
  readonly holder: string | null
  readonly registrants: readonly string[]
  readonly contacts: readonly RegistryContact[]
  /** Null where the registry does not publish it. */
  readonly changedAt: Date | null
}

/** Returns null where nobody is registered. Throws 503 while the registry does not answer: absence is never guessed. */
export const contactsOfBlock = (deps: TransitDeps, prefix: string): Promise<Registration | null> =>
  answered(async (signal) => {
    const network = await deps.registry.networkContacts(parsePrefix(prefix), signal)
    // The holder of a registry's own block is the registry, which speaks for nobody.
    if (network === null || network.isPlaceholder) return null
    if (network.contactsUnknown) throw network.contactsUnknown
    const { registry, handle, holder, registrants, contacts, changedAt } = network
    return { subject: handle, registry, handle, holder, registrants, contacts, changedAt }
  })

export const contactsOfAsn = (deps: TransitDeps, asn: number): Promise<Registration | null> =>
  answered(async (signal) => {
    const record = await deps.registry.autnum(asn, signal)
    if (record === null) return null
    if (record.contactsUnknown) throw record.contactsUnknown
    const held = await deps.registry.autnumHolder(asn, signal)
    const { handle, holder, contacts } = record
    const registry = held?.registry ?? ''
    const { registrants, changedAt } = held ?? { registrants: [], changedAt: null }
    return { subject: formatAsn(asn), registry, handle, holder, registrants, contacts, changedAt }
  })

/** An abuse desk takes mail from strangers all day and often belongs to the upstream. It speaks for nobody's space. */
export const maySpeak = provesNumber

async function answered<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await ask(AbortSignal.timeout(DEADLINE_MS))
  } catch (error) {
    const late = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
    if (!(error instanceof RegistryError) && !late) throw error
    const wait = error instanceof RegistryError ? (error.retryAfter ?? 30) : 30
    throw unavailable(`The registry cannot say who its contacts are. Try again in ${wait} seconds.`, wait, error)
  }
}
