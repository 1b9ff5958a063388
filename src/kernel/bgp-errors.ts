/** Explains to the owner of a router why a BGP session ended: the cause and the fix. */

export interface SessionCause {
  readonly cause: string
  readonly fix: string
}

const OVER_LIMIT = /route limit|maximum number of prefixes/i

/**
 * Patterns match the errors in BIRD's `show protocols`; `Received:` marks notifications from the customer's router (RFC
 * 4486, RFC 9003).
 */
const CAUSES: readonly (readonly [RegExp, string, string])[] = [
  [
    /hold timer expired/i,
    'Your router stopped answering (hold timer expired, RFC 4271).',
    'Check that it runs, and that nothing blocks TCP port 179 or drops packets on the way.',
  ],
  [
    /bfd session down/i,
    'Your router stopped answering BFD (BFD session down, RFC 5880), so the edge closed the session immediately.',
    'Check the router and the path to it. If the router is fine, raise its BFD interval or turn BFD off for this session.',
  ],
  [
    /received: administrative shutdown/i,
    'Your router closed the session (administrative shutdown, RFC 9003).',
    'Enable the neighbor on your router.',
  ],
  [/received: administrative reset/i, 'Your router reset the session (RFC 4486).', 'It comes back automatically.'],
  [
    /received: peer de-?configured/i,
    'Your router no longer has this neighbor configured (RFC 4486).',
    'Add the neighbor again, with the configuration shown under IP Transit.',
  ],
  [
    /bad peer as/i,
    'The AS numbers at the two ends do not match.',
    'Configure the local and the neighbor AS exactly as shown under IP Transit.',
  ],
  [
    OVER_LIMIT,
    'Your router sent more routes than the limit, so the edge closed the session.',
    'Announce only your own prefixes, then clear the limit under IP Transit. The edge tries again after 15 minutes.',
  ],
  [
    /connection refused|received: connection rejected/i,
    'Your router refuses the connection.',
    'Start BGP on it and allow our address on TCP port 179.',
  ],
  [
    /no route to host|host is unreachable|network is unreachable|neighbor lost|link down/i,
    'The edge cannot reach the address of your router.',
    'Check that the router runs and has the address shown under IP Transit.',
  ],
  [
    /timed out/i,
    'Your router did not answer the connection.',
    'Check its firewall. An MD5 key that differs from ours looks the same: compare it, or set a new one.',
  ],
  [
    /support tcp md5/i,
    'The edge does not support TCP MD5 keys, so it keeps the session closed.',
    'Remove the key under IP Transit and on your router.',
  ],
  [
    /md5|authentication/i,
    'The MD5 keys at the two ends differ (RFC 2385).',
    'Set the same key on your router, or set a new one under IP Transit.',
  ],
  [
    /connection reset|connection closed/i,
    'The connection was cut.',
    'Check the log of your router. After a restart the session comes back automatically.',
  ],
  [
    /role mismatch/i,
    'The BGP roles do not match (RFC 9234).',
    'Set the role of your router to customer, or remove it.',
  ],
  [
    /required capability|unsupported (optional )?(parameter|capability)|no supported afi/i,
    'Your router does not offer a capability that the session needs.',
    'Enable the address family for this neighbor.',
  ],
  [/unacceptable hold time/i, 'The hold time is not acceptable.', 'Set a hold time of at least 3 seconds.'],
  [/bad bgp identifier/i, 'The BGP identifier of your router is invalid.', 'Set a router ID that is an IPv4 address.'],
]

/**
 * BIRD has no error for packets that its kernel drops: those with another MD5 key or none (RFC 2385), and those whose
 * TTL is less than 255 (RFC 5082). A firewall and a router without BGP look the same.
 */
const SILENCE: SessionCause = {
  cause: 'Our edge gets no answer from your router.',
  fix: 'Check that BGP runs on it towards our address, that it sends with TTL 255 (GTSM, RFC 5082), and that both ends have the same MD5 key or none.',
}
/** The edge has no connection, or no OPEN message came through it (RFC 4271, section 8.2.2). */
const UNANSWERED: readonly string[] = ['CONNECT', 'ACTIVE', 'OPENSENT']

/** Explains why a session is not established. Returns null if there is nothing to add to its error. */
export const explainSession = ({
  state,
  lastError,
}: {
  readonly state: string
  readonly lastError: string | null
}): SessionCause | null => (lastError === null && UNANSWERED.includes(state) ? SILENCE : explainSessionError(lastError))

/** The edge disabled the session itself. */
export const isOverLimit = (error: string | null): boolean => error !== null && OVER_LIMIT.test(error)

/** Rewords an explanation for staff, who do not own the router. */
export const toStaff = (text: string): string =>
  text.replace(/\b(y)our router/gi, (_, first: string) => (first === 'Y' ? 'The router' : 'the router'))

/** Returns null for an error that is not in the table: the error text is then the only explanation. */
export function explainSessionError(error: string | null): SessionCause | null {
  const found = error === null ? undefined : CAUSES.find(([pattern]) => pattern.test(error))
  return found ? { cause: found[1], fix: found[2] } : null
}
