/**
 * Letters about sign-ins from a new place. The rule: the browser (its name and its system) or the network (an IPv4 /24, an
 * IPv6 /48) is one from which nobody signed in to this account within 180 days, the longest life of a session. Either
 * alone is common; a thief rarely has both. The first sign-in of an account has nothing to be compared with.
 */
import { sql } from 'kysely'
import { formatPrefix, networkMask, parseAddress } from '../../kernel/prefix.ts'
import { describeBrowser } from '../../kernel/user-agent.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Sender } from '../deps.ts'
import { emailNewDevice } from '../emails/security-emails.ts'
import type { SessionOrigin } from '../sessions.ts'
import '../tables.ts'

const REMEMBER_DAYS = 180
const DAY = 86_400_000
/** Of one account. Where a program fills the trail, a place is forgotten sooner and a letter more is sent. */
const LINES_READ = 5_000

/** Tells the owner when somebody signs in from a place that the account does not know. Run it before the session starts. */
export async function recordDevice(
  db: Db,
  sender: Sender,
  userId: number,
  { ip, userAgent }: Pick<SessionOrigin, 'ip' | 'userAgent'>,
  now: Date,
): Promise<void> {
  // Held until the commit: of two sign-ins at once from one new place, one tells.
  const { email, last_sign_in_at } = await db
    .selectFrom('users')
    .select(['email', 'last_sign_in_at'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (last_sign_in_at === null) return
  const known = await readDevices(db, userId, now)
  const browser = describeBrowser(userAgent)
  if (known.browsers.has(browser) && known.networks.has(networkOf(ip))) return
  await emailNewDevice(db, sender, { email, userId }, { browser, ip, at: now })
}

/** The trail says it already: each sign-in is a line of it. */
async function readDevices(
  db: Db,
  userId: number,
  now: Date,
): Promise<{ browsers: ReadonlySet<string>; networks: ReadonlySet<string> }> {
  const rows = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('audit_events')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .limit(LINES_READ)
        .as('line'),
    )
    .select('ip')
    .select(sql<string | null>`data ->> 'userAgent'`.as('userAgent'))
    .distinct()
    .where('action', '=', 'session.started')
    .where('at', '>', new Date(now.getTime() - REMEMBER_DAYS * DAY))
    .execute()
  return {
    browsers: new Set(rows.map((row) => describeBrowser(row.userAgent ?? ''))),
    networks: new Set(rows.map((row) => networkOf(row.ip ?? ''))),
  }
}

/** Homes and phones get another address now and then, mostly from the same block. */
function networkOf(ip: string): string {
  const address = parseAddress(ip)
  if (!address) return ip
  const { family, value } = address
  const length = family === 4 ? 24 : 48
  return formatPrefix({ family, length, network: value & networkMask(family, length) })
}
