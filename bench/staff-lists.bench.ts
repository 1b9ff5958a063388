/**
 * Measures the staff's lists, searches and dashboard over BENCH_ROWS users and prefixes, as users wait for them: the
 * 99th percentile over HTTP. The peer is the database alone: the same statements, by the same driver, one after
 * another. The peer of the deepest page is the first page.
 */
import type { CompiledQuery } from 'kysely'
import type { Comparison, Stage } from './bench.ts'
import { withBulkFixtures } from './bulk-fixtures.ts'
import { openStaffServer, type Question, type StaffServer } from './staff-server.ts'

const ROUNDS = 200
const DAY_MS = 86_400_000
const AUDIT_EVENTS = '/api/admin/audit_events'

const NODES = 'totalCount pageInfo { hasNextPage endCursor }'
const USERS = `query ($since: ISO8601DateTime, $wantsCustomers: Boolean, $search: String, $after: String) {
  users(since: $since, wantsCustomers: $wantsCustomers, search: $search, after: $after, first: 50) {
    nodes { databaseId email firstName lastName createdAt hasValidPaymentMethod ipTransit { asn } } ${NODES} } }`
const PREFIXES = `query ($status: TransitPrefixStatus, $search: String, $after: String) {
  transitPrefixes(status: $status, search: $search, after: $after, first: 50) {
    nodes { databaseId value status createdAt ipTransit { asn user { firstName lastName } } } ${NODES} } }`
const DASHBOARD = `query ($since: ISO8601DateTime!) {
  hypervisors { name } pending: transitPrefixes(status: PENDING) { totalCount }
  approved: transitPrefixes(status: APPROVED, first: 200) { totalCount nodes { databaseId ipTransit { asn } } }
  recent: users(since: $since) { totalCount } customers: users(wantsCustomers: true) { totalCount }
  users { totalCount } revenue { projected { amount } accrued { amount } } }`

export default withBulkFixtures(putUp)

async function putUp(url: string): Promise<Stage> {
  const server = await openStaffServer(url)
  const words = await findWords(server)
  const since = new Date(Date.now() - 30 * DAY_MS).toISOString()
  const users = (variables: object): Question => ({ query: USERS, variables })
  const prefixes = (variables: object): Question => ({ query: PREFIXES, variables })
  const after = Buffer.from('id:100').toString('base64url')
  const lists: readonly (readonly [name: string, questions: readonly Question[]])[] = [
    ['users, any filter', [{}, { since }, { wantsCustomers: true }, { since, wantsCustomers: true }].map(users)],
    ['users, searched', words.map((search) => users({ search }))],
    ['prefixes, any status', [{}, { status: 'PENDING' }, { status: 'APPROVED' }].map(prefixes)],
    ['prefixes, searched', [...words, '20.3.4.0/24', '20.3', '2a01:'].map((search) => prefixes({ search }))],
    ['prefixes that wait, searched', words.map((search) => prefixes({ search, status: 'PENDING' }))],
    ['everything, searched', words.map((q) => ({ path: `/api/admin/search?q=${encodeURIComponent(q)}` }))],
    ['the audit log, any filter', auditFilters().map((filter) => ({ path: `${AUDIT_EVENTS}?${filter}` }))],
    ['dashboard', [{ query: DASHBOARD, variables: { since } }]],
  ]
  const comparisons: Comparison[] = []
  for (const [name, questions] of lists) comparisons.push(await againstSql(server, name, questions))
  for (const [name, first, deepest] of [
    ['users', users({}), users({ after })],
    ['prefixes', prefixes({}), prefixes({ after })],
    ['the audit log', { path: AUDIT_EVENTS }, { path: `${AUDIT_EVENTS}?before=100` }],
  ] as const) {
    comparisons.push({
      name: `deepest page of ${name}, median`,
      unit: 'ms',
      ours: () => wait(server, [deepest], 0.5),
      peer: { name: 'the first page', measure: () => wait(server, [first], 0.5) },
    })
  }
  return { comparisons, close: server.close }
}

/** Returns a common, a medium and a rare name, a domain that most have, two letters, nothing, and an ASN. */
async function findWords({ pool }: StaffServer): Promise<string[]> {
  const { rows } = await pool.query<{ word: string }>(
    'select last_name as word from users group by 1 order by count(*) desc',
  )
  const at = (share: number) => rows[Math.floor((rows.length - 1) * share)]!.word
  return [at(0), at(0.01), at(0.3), at(1), 'mail.example', 'e1', 'nobodyhere', 'AS1000500']
}

/** By actor, owner, action, time, and several at once. */
function auditFilters(): string[] {
  const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString()
  return [
    '',
    'actor=3',
    'user=777',
    'action=prefix.approved',
    'subjectType=router',
    `from=${day(30)}`,
    `to=${day(700)}`,
    `from=${day(900)}&to=${day(800)}`,
    `actor=3&action=asn.verified&to=${day(500)}`,
  ]
}

async function againstSql(server: StaffServer, name: string, questions: readonly Question[]): Promise<Comparison> {
  const statements: (readonly CompiledQuery[])[] = []
  for (const question of questions) statements.push(await server.sqlOf(question))
  return {
    name: `${name}, 99th percentile`,
    unit: 'ms',
    ours: () => wait(server, questions, 0.99),
    peer: {
      name: 'its SQL by pg alone',
      measure: () =>
        percentile(0.99, async (round) => {
          for (const { sql, parameters } of statements[round % statements.length]!) {
            await server.pool.query(sql, [...parameters])
          }
        }),
    },
  }
}

const wait = (server: StaffServer, questions: readonly Question[], share: number): Promise<number> =>
  percentile(share, (round) => server.ask(questions[round % questions.length]!))

async function percentile(share: number, work: (round: number) => Promise<void>): Promise<number> {
  const took: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now()
    await work(round)
    took.push(performance.now() - began)
  }
  return took.toSorted((a, b) => a - b)[Math.ceil(share * ROUNDS) - 1]!
}
