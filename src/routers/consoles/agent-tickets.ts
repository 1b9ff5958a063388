/**
 * Tickets with which one process asks another for a console. Each is signed with the shared secret, for one machine,
 * one kind, one lease and a few seconds, and works once. Nothing is stored: a lease ends with the process that
 * remembers the tickets.
 */
import { currentKey, isOneOf, knownKeys, type SecretKey } from '../../platform/secret-key.ts'
import { createHmac, hkdfSync, randomUUID } from 'node:crypto'
import { z } from 'zod'

/** More than a handshake takes, because clocks differ. */
const LIFETIME_MS = 30_000
/** A ticket is some 400 characters. */
const LONGEST = 2_000

const ticketShape = z.strictObject({
  id: z.uuid(),
  hypervisor: z.string().max(40),
  /** The driver's UUID. */
  machine: z.uuid(),
  kind: z.enum(['serial', 'display']),
  /** The epoch of the lease of the process that is asked. */
  term: z.string().regex(/^\d{1,19}$/),
  expires: z.int(),
})

type AgentTicket = Pick<z.output<typeof ticketShape>, 'hypervisor' | 'machine' | 'kind' | 'term'>

export function signAgentTicket(secretKey: SecretKey, ticket: AgentTicket, now: Date): string {
  const whole = { ...ticket, id: randomUUID(), expires: now.getTime() + LIFETIME_MS }
  const body = Buffer.from(JSON.stringify(whole)).toString('base64url')
  return `${body}.${sign(currentKey(secretKey), body)}`
}

/** Remembers the used tickets for as long as they could be used again. */
export function createAgentTickets(secretKey: SecretKey) {
  const used = new Map<string, number>()
  return {
    /** Returns what the ticket opens; null when it is forged, used, too old, or for something else. */
    redeem(
      text: string,
      wanted: { readonly kind: AgentTicket['kind']; readonly term: (hypervisor: string) => string | null },
      now: Date,
    ): Pick<AgentTicket, 'hypervisor' | 'machine'> | null {
      const ticket = verify(secretKey, text)
      if (!ticket || ticket.kind !== wanted.kind || ticket.term !== wanted.term(ticket.hypervisor)) return null
      const left = ticket.expires - now.getTime()
      // A ticket that lives longer than ours is not from us, or is from a clock that cannot be trusted.
      if (left <= 0 || left > 2 * LIFETIME_MS || used.has(ticket.id)) return null
      for (const [id, expires] of used) if (expires <= now.getTime()) used.delete(id)
      used.set(ticket.id, ticket.expires)
      return ticket
    },
  }
}

function verify(secretKey: SecretKey, text: string) {
  const [body = '', signature = '', ...rest] = text.length > LONGEST ? [] : text.split('.')
  const expected = knownKeys(secretKey).map((key) => Buffer.from(sign(key, body)))
  if (rest.length > 0 || !isOneOf(Buffer.from(signature), expected)) return null
  try {
    return ticketShape.safeParse(JSON.parse(Buffer.from(body, 'base64url').toString())).data ?? null
  } catch {
    return null
  }
}

const sign = (key: string, body: string): string =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', key, '', 'console tickets of hosts', 32)))
    .update(body)
    .digest('base64url')
