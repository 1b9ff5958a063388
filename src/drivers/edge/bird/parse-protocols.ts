import type { BfdState, EdgeSession, SessionState, UpstreamSession } from '../index.ts'
import type { Reply } from './reply.ts'
import { PROTOCOL_NAME } from './render-customer.ts'

/** BIRD's names for the states of RFC 4271 section 8. `Close` is on the way to Idle; `Down` is switched off. */
const STATES: Readonly<Record<string, SessionState>> = {
  Idle: 'IDLE',
  Connect: 'CONNECT',
  Active: 'ACTIVE',
  OpenSent: 'OPENSENT',
  OpenConfirm: 'OPENCONFIRM',
  Established: 'ESTABLISHED',
  Close: 'IDLE',
  Down: 'DISABLED',
}

/** Parses `show bfd sessions`: maps the router's address to BIRD's name for the state of RFC 5880 section 6.2. */
export function parseBfd(reply: Reply): Map<string, string> {
  const states = new Map<string, string>()
  for (const { text } of reply.lines) {
    const match = /^([0-9a-f.:]+)\s+\S+\s+(AdminDown|Down|Init|Up)\s/i.exec(text.trim())
    if (match) states.set(match[1]!, match[2]!)
  }
  return states
}

/**
 * A router without BFD leaves our side down while BGP is up. If the router sends but does not hear us, our side is in
 * `Init`.
 */
const bfdState = (word: string, session: SessionState): BfdState =>
  word === 'Up' ? 'UP' : word !== 'Init' && session === 'ESTABLISHED' ? 'NO_ANSWER' : 'DOWN'

/**
 * Parses `show protocols all`, with the `bfd` of {@link parseBfd}. Skips protocols that are not customers' sessions.
 */
export function parseSessions(reply: Reply, bfd: ReadonlyMap<string, string> = new Map()): EdgeSession[] {
  const words = new Map<Writable<EdgeSession>, string>()
  const sessions = parseProtocols(
    reply,
    (name) => {
      const match = PROTOCOL_NAME.exec(name)
      return match && { customerId: Number(match[1]), family: match[2] === '4' ? (4 as const) : (6 as const) }
    },
    (session, detail, value) => {
      if (detail !== 'Neighbor address') return
      const word = bfd.get(addressIn(value))
      if (word !== undefined) words.set(session, word)
    },
  )
  for (const [session, word] of words) session.bfd = bfdState(word, session.state)
  return sessions
}

/** Returns the names of the operator's own BGP protocols in `show protocols`. */
export const parseOwnNames = (reply: Reply): { readonly name: string; readonly established: boolean }[] =>
  reply.lines.flatMap(({ text }) => {
    const [name = '', protocol, , , , info] = text.trim().split(/\s+/)
    return protocol === 'BGP' && OWN_NAME.test(name) ? [{ name, established: info === 'Established' }] : []
  })

/** BIRD allows dots, colons and hyphens in quoted names; the prefix `lh_` is ours. */
export const OWN_NAME = /^(?!lh_)[\w.:-]{1,64}$/

/** Parses `show protocols all` for the operator's own protocols. */
export const parseUpstreams = (reply: Reply): UpstreamSession[] =>
  parseProtocols(
    reply,
    (name) => (OWN_NAME.test(name) ? { name, asn: 0, address: '' } : null),
    (upstream: { name: string; asn: number; address: string }, detail, value) => {
      if (detail === 'Neighbor address') upstream.address = addressIn(value)
      else if (detail === 'Neighbor AS') upstream.asn = Number(/^\d{1,10}/.exec(value)?.[0] ?? 0)
    },
  ).map((found) => {
    const { tripped, accepted: _, ...upstream } = found
    return tripped ? { ...upstream, state: 'IDLE' } : upstream
  })

/** Returns the tables to which the protocols of `show protocols all` have filtered routes. */
export function parseTablesWithFiltered(reply: Reply): string[] {
  const tables: string[] = []
  let table: string | undefined
  for (const { text } of reply.lines) {
    // Each channel prints its table before its routes.
    table = /^\s*Table:\s+([\w.:-]{1,64})$/.exec(text)?.[1] ?? table
    if (table !== undefined && /^\s*Routes:.* [1-9]\d* filtered/.test(text)) tables.push(table)
  }
  return tables
}

const addressIn = (value: string): string => /^[0-9a-f.:]+/.exec(value)?.[0] ?? ''

type Figures = Pick<EdgeSession, 'state' | 'since' | 'received' | 'accepted' | 'exported' | 'lastError' | 'tripped'>

/**
 * `identify` returns null to skip a protocol. `add` receives the details that are not parsed here; unknown lines are
 * skipped.
 */
function parseProtocols<T extends object>(
  reply: Reply,
  identify: (name: string) => T | null,
  add: (found: T & Writable<Figures>, detail: string, value: string) => void,
): (T & Writable<Figures>)[] {
  const all: (T & Writable<Figures>)[] = []
  let message = ''
  let open: (T & Writable<Figures>) | null = null
  for (const { code, text } of reply.lines) {
    if (code === 1002) {
      const [name = '', , , state, since, info] = text.trim().split(/\s+/)
      const found = identify(name)
      open = found && { ...found, ...figuresOf(state, since, info) }
      if (open) all.push(open)
      message = ''
    } else if (code === 1006 && open) {
      // This runs every two seconds over some forty lines of each session, so each line is matched only once.
      const detail = DETAIL.exec(text)
      if (!detail) continue
      const value = detail[2]!.trim()
      if (detail[1] === 'Message') message = value.slice(0, 255)
      else if (detail[1]!.startsWith('Neighbor')) add(open, detail[1]!, value)
      else addDetail(open, detail[1]!, value, message)
    }
  }
  return all
}

const DETAIL = /^\s*(BGP state|Neighbor address|Neighbor AS|Message|Last error|Routes):\s+(.{1,300})/

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** `lh_c10_v4  BGP  ---  up  2026-11-21T01:50:29+0000  Established` */
const figuresOf = (state = '', since = '', info = ''): Writable<Figures> => ({
  state: state === 'down' ? 'DISABLED' : (STATES[info] ?? 'IDLE'),
  since: parseTime(since),
  received: 0,
  accepted: 0,
  exported: 0,
  lastError: null,
})

/**
 * `message`: the text of the router's operator (RFC 9003). BIRD prints it first, and keeps it when a later error is not
 * a shutdown.
 */
function addDetail(session: Writable<Figures>, name: string, value: string, message: string): void {
  if (name === 'BGP state') session.state = STATES[value] ?? session.state
  else if (name === 'Last error') {
    const fromPeer = message !== '' && value.startsWith('Received: Administrative')
    session.lastError = fromPeer ? `${value}: ${message.replaceAll(/\p{C}/gu, '')}` : value
    // The summary line comes first. A session that is up again still shows its last error.
    if (session.state === 'DISABLED' && value === 'Automatic shutdown: Route limit exceeded') session.tripped = true
  } else {
    // Printed for each channel: a customer's session has one, an upstream's may have both families.
    const imported = count(value, 'imported')
    session.accepted += imported
    session.received += imported + count(value, 'filtered')
    session.exported += count(value, 'exported')
  }
}

/** `2 imported, 3 filtered, 1 exported, 2 preferred` */
const count = (text: string, word: string): number => Number(new RegExp(`(\\d{1,9}) ${word}`).exec(text)?.[1] ?? 0)

/** In the format that our policy file sets: `2026-11-21T01:50:29+0000`. */
export function parseTime(text: string): Date | null {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)([+-]\d\d)(\d\d)$/.exec(text)
  const time = match ? new Date(`${match[1]}${match[2]}:${match[3]}`) : null
  return time && !Number.isNaN(time.getTime()) ? time : null
}
