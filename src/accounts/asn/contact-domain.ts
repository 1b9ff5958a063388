/** How old the domain of a registry contact is: who registers one that lapsed reads the mail of its former owner. */
import { RegistryError, type SpaceRegistry } from '../../drivers/registry/index.ts'
import { invalid } from '../../kernel/problem.ts'

interface Domains {
  readonly registry: Pick<SpaceRegistry, 'domainRegisteredAt'>
}

/** Somebody waits, and a domain's registry is another than the number's: it costs the date alone. */
const DEADLINE_MS = 4_000
/** Domains of one list of contacts that are asked about, since registries count questions. */
const MAX_DOMAINS = 3

export type DatedContact<Contact extends { readonly email: string }> = Contact & {
  /** When the domain of its address was registered, as ISO 8601; null where nobody publishes that. */
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
 * Throws 422 for a mailbox at a domain that was registered after the registry last changed what names it: that domain had
 * lapsed. A date that nobody publishes speaks against nobody.
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
