/**
 * Checks how old the domain of a registry contact is. Someone who registers a lapsed domain can read the mail of its
 * former owner.
 */
import { RegistryError, type SpaceRegistry } from '../../drivers/registry/index.ts'
import { invalid } from '../../kernel/problem.ts'

interface Domains {
  readonly registry: Pick<SpaceRegistry, 'domainRegisteredAt'>
}

/**
 * A user waits for this. A domain has a different registry than the ASN; without its answer only the date is missing.
 */
const DEADLINE_MS = 4_000
/** The number of domains looked up per contact list, because registries limit the rate of queries. */
const MAX_DOMAINS = 3

export type DatedContact<Contact extends { readonly email: string }> = Contact & {
  /** When the domain of its address was registered, in ISO 8601; null if no registry publishes it. */
  readonly domainRegisteredAt: string | null
}

export async function datedContacts<Contact extends { readonly email: string }>(
  deps: Domains,
  contacts: readonly Contact[],
  caller?: AbortSignal,
): Promise<DatedContact<Contact>[]> {
  const domains = [...new Set(contacts.map(({ email }) => domainOf(email)))].slice(0, MAX_DOMAINS)
  const dates = new Map(
    await Promise.all(domains.map(async (domain) => [domain, await registeredAt(deps, domain, caller)] as const)),
  )
  return contacts.map((contact) => {
    const date = dates.get(domainOf(contact.email)) ?? null
    return { ...contact, domainRegisteredAt: date?.toISOString() ?? null }
  })
}

/**
 * Throws 422 for a mailbox whose domain was registered after the registry last changed the contact's object: the
 * domain had lapsed. A date that no registry publishes is not held against the contact.
 */
export async function requireDomainOf(
  deps: Domains,
  { subject, changedAt }: { readonly subject: string; readonly changedAt: Date | null },
  email: string,
): Promise<void> {
  const registered = changedAt && (await registeredAt(deps, domainOf(email)))
  if (!registered || registered <= changedAt) return
  const day = registered.toISOString().slice(0, 10)
  const message = `is at a domain that was registered on ${day}, after the registry last changed ${subject}: it may belong to someone else now`
  throw invalid([{ field: 'email', message }])
}

async function registeredAt({ registry }: Domains, domain: string, caller?: AbortSignal): Promise<Date | null> {
  const deadline = AbortSignal.timeout(DEADLINE_MS)
  try {
    return await registry.domainRegisteredAt(domain, caller ? AbortSignal.any([deadline, caller]) : deadline)
  } catch (error) {
    caller?.throwIfAborted()
    if (deadline.aborted || error instanceof RegistryError) return null
    throw error
  }
}

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()
