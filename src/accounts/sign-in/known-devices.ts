/**
 * Emails about sign-ins from a new device. One is sent if the browser (name and operating system) or the network
 * (IPv4 /24, IPv6 /48) is new. New means that no sign-in to this account used it within 180 days, the longest life of
 * a session. A thief may well match one of the two, but rarely both. The first sign-in of an account has nothing to
 * compare with.
 */
import { accountOf } from '../owner.ts'
import type { UserId } from '../../kernel/ids.ts'
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
/**
 * Entries read per account. If a program fills the audit log, a device is forgotten sooner and one more email is
 * sent.
 */
const LINES_READ = 5_000

/** Emails the owner about a sign-in from an unknown device. Call it before the session starts. */
export async function recordDevice(
  db: Db,
  sender: Sender,
  userId: UserId,
  { ip, userAgent }: Pick<SessionOrigin, 'ip' | 'userAgent'>,
  now: Date,
): Promise<void> {
  // The lock lasts until the commit: of two concurrent sign-ins from one new device, only one sends an email.
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

/** Reads known devices from the audit log, which has an entry for each sign-in. */
async function readDevices(
  db: Db,
  userId: UserId,
  now: Date,
): Promise<{ browsers: ReadonlySet<string>; networks: ReadonlySet<string> }> {
  const accountId = await accountOf(db, userId)
  const rows = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('audit_events')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('id', 'desc')
        .limit(LINES_READ)
        .as('line'),
    )
    .select('ip')
    .select(sql<string | null>`data ->> 'userAgent'`.as('userAgent'))
    .distinct()
    .where('action', '=', 'session.started')
    .where('subject_id', '=', userId)
    .where('at', '>', new Date(now.getTime() - REMEMBER_DAYS * DAY))
    .execute()
  return {
    browsers: new Set(rows.map((row) => describeBrowser(row.userAgent ?? ''))),
    networks: new Set(rows.map((row) => networkOf(row.ip ?? ''))),
  }
}

/** Homes and phones change addresses now and then, mostly within the same block. */
function networkOf(ip: string): string {
  const address = parseAddress(ip)
  if (!address) return ip
  const { family, value } = address
  const length = family === 4 ? 24 : 48
  return formatPrefix({ family, length, network: value & networkMask(family, length) })
}
