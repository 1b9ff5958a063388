/**
 * A stub resolver (RFC 4035 section 4.9): it queries recursive resolvers, which the operator chooses, and reads the AD
 * bit, which node:dns does not expose. Without valid signatures it asks a second resolver, and returns what both say.
 * It never queries a zone's name servers, whose addresses the customer chooses.
 */
import { randomInt } from 'node:crypto'
import { getServers } from 'node:dns'
import { DnsError, isDnsName, type DnssecStatus, type TxtResolver } from '../index.ts'
import { exchange, type Server } from './exchange.ts'
import type { Question, Reply } from './message.ts'

export interface StubOptions {
  /** By default the system's resolvers, in their order. */
  readonly servers?: readonly Server[]
  /** For one attempt, TCP included; there are two. */
  readonly timeoutMs?: number
}

const TRIES = 2
const [NOERROR, SERVFAIL, NXDOMAIN] = [0, 2, 3]

export function createStubResolver({ servers: chosen, timeoutMs = 3_000 }: StubOptions = {}): TxtResolver {
  const servers = chosen ?? getServers().map(readServer)
  const ask = async (question: Omit<Question, 'id'>, caller: AbortSignal | undefined) => {
    for (let round = 0; ; round++) {
      const asked = servers[round % servers.length]
      if (!asked) throw new DnsError('unreachable', 'No DNS resolver is configured on this machine.')
      const deadline = AbortSignal.timeout(timeoutMs)
      const signal = caller ? AbortSignal.any([deadline, caller]) : deadline
      try {
        return { asked, reply: await exchange(asked, { ...question, id: randomInt(65_536) }, signal) }
      } catch (error) {
        caller?.throwIfAborted()
        if (round + 1 < TRIES) continue
        if (!deadline.aborted) throw error
        throw new DnsError('timeout', `The resolver ${asked.address} took longer than ${timeoutMs / 1000} s.`, {
          cause: error,
        })
      }
    }
  }
  /** Returns null if it cannot answer, which leaves the first answer unchanged. */
  const askOnce = async (server: Server, name: string, caller: AbortSignal | undefined): Promise<Reply | null> => {
    const deadline = AbortSignal.timeout(timeoutMs)
    const signal = caller ? AbortSignal.any([deadline, caller]) : deadline
    try {
      const reply = await exchange(server, { name, unchecked: false, id: randomInt(65_536) }, signal)
      return [NOERROR, NXDOMAIN].includes(reply.rcode) ? reply : null
    } catch {
      caller?.throwIfAborted()
      return null
    }
  }
  return {
    kind: 'stub',
    server: servers.map(formatServer).join(', ') || 'none',
    async txt(name, signal) {
      if (!isDnsName(name)) throw new DnsError('protocol', 'This is not a name that can be asked for.')
      const { asked, reply } = await ask({ name, unchecked: false }, signal)
      if (reply.rcode === SERVFAIL) throw await whyFailed(() => ask({ name, unchecked: true }, signal), asked)
      if (reply.rcode !== NOERROR && reply.rcode !== NXDOMAIN)
        throw new DnsError('protocol', `The resolver ${asked.address} refused the question (code ${reply.rcode}).`)
      const answer = { records: reply.records, alias: reply.alias, dnssec: dnssecOf(reply, asked), resolvers: 1 }
      // An unsigned answer may be forged on its way; another resolver uses another path.
      const other = servers.find(({ address }) => address !== asked.address)
      if (answer.dnssec === 'SECURE' || answer.records.length === 0 || !other) return answer
      const second = await askOnce(other, name, signal)
      if (second === null) return answer
      return { ...answer, records: answer.records.filter((record) => second.records.includes(record)), resolvers: 2 }
    },
  }
}

/**
 * A resolver reports an invalid signature like a server failure. With checking disabled, it answers only in the first
 * case.
 */
async function whyFailed(again: () => Promise<{ reply: Reply }>, { address }: Server): Promise<DnsError> {
  const unchecked = await again().catch(() => null)
  const answers = unchecked !== null && [NOERROR, NXDOMAIN].includes(unchecked.reply.rcode)
  return answers
    ? new DnsError('bogus', 'The DNSSEC signatures of the zone are wrong (bogus).')
    : new DnsError('unreachable', `The resolver ${address} got no answer from the name servers of the zone.`)
}

/**
 * The bit is only as trustworthy as the path to the resolver (RFC 4035 section 4.9.3), so it counts only for a resolver
 * on this machine.
 */
function dnssecOf({ authentic }: Reply, { address }: Server): DnssecStatus {
  if (!/^(?:127\.|::1$)/.test(address)) return 'UNCHECKED'
  return authentic ? 'SECURE' : 'INSECURE'
}

/** In the form of `node:dns`: an address, with a port unless it is 53. */
function readServer(text: string): Server {
  const match = /^\[(.+)\]:(\d+)$/.exec(text) ?? /^([\d.]+):(\d+)$/.exec(text)
  return match ? { address: match[1]!, port: Number(match[2]) } : { address: text, port: 53 }
}

const formatServer = ({ address, port }: Server): string =>
  port === 53 ? address : address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
