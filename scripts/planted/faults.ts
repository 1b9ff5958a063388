/** Faults in rules about space, money and access: each changes one line, and its tests must notice it. */

export interface Fault {
  readonly file: string
  readonly text: string
  readonly instead: string
  readonly tests: readonly string[]
}

const inFile = (
  file: string,
  tests: readonly string[],
  ...changes: readonly (readonly [text: string, instead: string])[]
): Fault[] => changes.map(([text, instead]) => ({ file, text, instead, tests }))

const CHARGES = ['src/billing/charges']
const SCHEDULE = ['src/webhooks/reach.test.ts']

export const FAULTS: readonly Fault[] = [
  ...inFile(
    'src/billing/charges/discounts.ts',
    CHARGES,
    [`ROUTERS: ['ROUTER', 'ADDRESS'],`, `ROUTERS: ['ROUTER'],`],
    [`TRANSIT: ['COMMIT', 'OVERAGE'],`, `TRANSIT: ['COMMIT'],`],
    ['return b.percent - a.percent', 'return a.percent - b.percent'],
    ['(to === null || part.at < to)', '(to === null || part.at <= to)'],
    ['holds ? WHOLE - percent : WHOLE', 'WHOLE - percent'],
    ['const own = taken - before', 'const own = taken'],
    ['cutAt(interval, edges)', 'cutAt(interval, [])'],
  ),
  ...inFile(
    'src/billing/charges/transit-lines.ts',
    CHARGES,
    ['300_000_000n * BigInt(month)', '300_000n * BigInt(month)'],
    ['contracts.findLast((one) => one.from <= part.from)', 'contracts.findLast((one) => one.from < part.from)'],
    [`segment.subject.startsWith('list:') && !segment.usage.measured`, '!segment.usage.measured'],
    ['to: within.to }, pauses)', 'to: within.to }, [])'],
    ['BigInt(terms.commitPrice) * BigInt(covered), BigInt(month)', 'BigInt(terms.commitPrice), 1n'],
  ),
  ...inFile(
    'src/billing/charges/router-lines.ts',
    CHARGES,
    ['Math.ceil(rate.milliseconds / HOUR_MS)', 'Math.floor(rate.milliseconds / HOUR_MS)'],
    ['if (sum <= cap) return', 'if (sum >= cap) return'],
    ['Math.max(0, ...rates.map((rate) => rate.monthly))', 'Math.min(...rates.map((rate) => rate.monthly))'],
    ['part ? without(part, pauses)', 'part ? without(part, [])'],
    ['of [4, 6] as const', 'of [4] as const'],
    ['`address:ipv${family}`', '`address:ipv4`'],
  ),
  ...inFile(
    'src/billing/charges/adjustments.ts',
    CHARGES,
    ['Math.min(open, item.remaining)', 'item.remaining'],
    ['open -= amount', 'open -= 0'],
  ),
  ...inFile(
    'src/routers/metrics/value-at-rank.ts',
    ['src/routers/metrics/value-at-rank.test.ts'],
    ['const target = values.length - rank', 'const target = values.length - rank - 1'],
    ['rank < 1 || rank > values.length', 'rank < 1 || rank >= values.length'],
  ),
  ...inFile(
    'src/billing/dunning/stages.ts',
    ['src/billing/dunning/stages.test.ts', 'src/billing/dunning/dunning.test.ts'],
    ['findLast(({ at }) => at <= now)', 'find(({ at }) => at <= now)'],
    [`DUNNING_STAGES[DUNNING_STAGES.indexOf(current) + 1]! : wanted`, 'wanted : wanted'],
    ['at: after(days.suspend_days)', 'at: after(days.drain_days)'],
    ['pausedUntil?.getTime() ?? 0)', '0)'],
  ),
  ...inFile(
    'src/billing/invoices/tax.ts',
    ['src/billing/invoices/tax.test.ts'],
    [`buyer.vat_status === 'VALID'`, `buyer.vat_status !== 'INVALID'`],
    [`if (buyer.vat_status === 'PENDING') return 'PENDING'`, ''],
    ['!seller.charges_tax || !seller.country', '!seller.country'],
    ['!buyer.country || buyer.country === seller.country', '!buyer.country'],
    ['!EU_MEMBERS.has(buyer.country) || ', ''],
    [' || !EU_MEMBERS.has(seller.country)', ''],
    ['buyer.vat_id && countryOf(buyer.vat_id) === buyer.country', 'buyer.vat_id'],
    ['seller.one_stop_shop && ', ''],
  ),
  ...inFile(
    'src/transit/evidence/policy.ts',
    ['src/transit/evidence/policy.test.ts'],
    ['rule.family !== null && rule.family !== family', 'false'],
    ['length >= rule.shorterThan', 'length > rule.shorterThan'],
    [`best === 'medium' && rule.evidence === 'medium'`, `best === 'medium'`],
    ['people: 2, reason: true }\n\n', 'people: 1, reason: false }\n\n'],
    ['if (facts.unknown) return', 'if (false) return'],
    ['policy.automatic && facts.established', 'policy.automatic'],
    ['policy.automatic && facts.established', 'facts.established'],
    ['outcome.people === 2 || facts.issue', 'outcome.people === 2'],
    ['reason: outcome.reason || facts.issue', 'reason: outcome.reason'],
    ['? 2\n        : 1', '? 1\n        : 1'],
  ),
  ...inFile(
    'src/transit/evidence/evidence.ts',
    ['src/transit/evidence/policy.test.ts', 'src/transit/prefixes/requests.test.ts'],
    ['expiresAt === null || expiresAt > now', 'true'],
    [`request.asn === null ? 'weak'`, `request.asn === null ? 'medium'`],
    [`request.asn === 'vouched' ? 'medium' : strength`, 'strength'],
    [`AUTHORITATIVE_SOURCES.has(source) ? worth('medium') : 'weak'`, `worth('medium')`],
    [`= ['contradicts', 'strong',`, `= ['strong', 'contradicts',`],
  ),
  ...inFile(
    'src/transit/downstreams/ownership.ts',
    ['src/transit/downstreams/downstreams.test.ts'],
    ['if (isAuthoritative(set.source)) {', 'if (set.source) {'],
    [`set.name.split(':')[0] === formatAsn(customerAsn)`, `set.name.includes(formatAsn(customerAsn))`],
    ['autNum.asn === customerAsn && autNum.source === set.source', 'autNum.asn === customerAsn'],
    ['!isRegistryMaintainer(maintainer) && ', ''],
    [' && !sharedMaintainers.includes(maintainer)', ''],
    ['source === null ? isAuthoritative(set.source) : source === set.source', 'true'],
    [`autNums === null || peeringDb === null ? 'UNKNOWN'`, `autNums === null ? 'UNKNOWN'`],
  ),
  ...inFile(
    'src/drivers/irr/irrd/rpsl.ts',
    ['src/drivers/irr/irrd/irrd.test.ts'],
    ['.filter((neighbor) => !customers.has(neighbor))', ''],
    ['/^ANY( AND NOT\\b.*)?$/i', '/^ANY|AS/i'],
  ),
  ...inFile(
    'src/transit/downstreams/consent.ts',
    ['src/transit/downstreams/downstreams.test.ts'],
    [`status: 'REFUSED', how: null`, `status: 'NONE', how: null`],
    ['autNum.asn === origin && isAuthoritative(autNum.source)', 'autNum.asn === origin'],
    [`ownership === 'OWN' &&`, ''],
    ['autNum.memberOf.includes(set.name) &&', ''],
    [`allowed === 'ANY' || autNum.maintainers.includes(allowed)`, 'allowed !== undefined'],
  ),
  ...inFile(
    'src/drivers/rpki/vrp-index.ts',
    ['src/drivers/rpki/vrp-index.test.ts'],
    ['length <= rows.maxLengths[row]!', 'true'],
    ['origin !== 0 && rows.asns[row] === origin && length', 'rows.asns[row] === origin && length'],
    [`reason: named ? 'LENGTH' : 'AS'`, `reason: 'AS'`],
    [`if (!covered) return { status: 'NOT_FOUND'`, `if (!covered) return { status: 'INVALID'`],
  ),
  ...inFile(
    'src/kernel/bogon.ts',
    ['src/kernel/bogon.test.ts'],
    [`['100.64.0.0/10', 'shared address space (RFC 6598)'],`, ''],
    [`if (prefix.length === 0) return 'it is the default route'`, ''],
    ['overlaps(entry.prefix, prefix)', 'containsPrefix(entry.prefix, prefix)'],
  ),
  ...inFile(
    'src/webhooks/schedule.ts',
    SCHEDULE,
    ['3 ** (attempts - 1)', '2 ** (attempts - 1)'],
    ['Math.max(pause, (askedSeconds ?? 0) * 1_000)', 'pause'],
    ['Math.min(LONGEST_PAUSE_MS * 1.25, ', 'Math.max(0, '],
  ),
  ...inFile(
    'src/kernel/scope.ts',
    ['src/kernel/scope.test.ts'],
    [`call.access === 'admin' ? 'staff' : area`, 'area'],
    [`needed.replace(':read', ':write')`, `needed.replace(':write', ':read')`],
  ),
  ...inFile(
    'src/kernel/required-role.ts',
    ['src/kernel/required-role.test.ts'],
    [`roles.includes('owner') || roles.includes(requiredRole)`, 'roles.length > 0'],
  ),
  ...inFile(
    'src/kernel/return-path.ts',
    ['src/kernel/return-path.test.ts'],
    ['url.origin !== origin || ', ''],
    [` || url.pathname.startsWith('//')`, ''],
  ),
  ...inFile(
    'src/webhooks/deliveries.ts',
    ['src/webhooks/webhooks.test.ts'],
    [`query.where('endpoint.account_id', '=', (whose as never)['accountId'])`, 'query'],
  ),
  ...inFile(
    'src/webhooks/signing.ts',
    ['src/webhooks/webhooks.test.ts'],
    ['secrets.previous_until > now', 'secrets.previous_until'],
  ),
  ...inFile(
    'src/accounts/throttle.ts',
    ['src/accounts/sign-in/sign-in.test.ts'],
    ['networkMask(6, 64)', 'networkMask(6, 128)'],
    ['(limit.burst - 1) * limit.refillMs\n  if', '(limit.burst + 5) * limit.refillMs\n  if'],
  ),
  ...inFile(
    'src/accounts/sessions.ts',
    ['src/accounts/sessions.test.ts'],
    ['staff: { idleMs: DAY / 2', 'staff: { idleMs: 30 * DAY'],
    [' || now.getTime() - session.created_at.getTime() > absoluteMs', ''],
  ),
  ...inFile(
    'src/platform/leases/hold-lease.ts',
    ['src/platform/leases/leases.test.ts'],
    ['epoch = leases.epoch + 1', 'epoch = leases.epoch'],
    ['and (leases.expires_at <= clock_timestamp() or ${dead})', ''],
  ),
]
