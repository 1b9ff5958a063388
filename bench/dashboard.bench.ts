/**
 * Measures the dashboard's query over BENCH_ROWS users, prefixes and audit rows, in responses per second. The peer is
 * plain GraphQL Yoga on Node's own server. It has the same schema and the same SQL, all of it sent at once, and its
 * rows as objects. It has no sessions, limits, pages, loaders, traces or log.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildSchema } from 'graphql'
import { createYoga } from 'graphql-yoga'
import pg from 'pg'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { withBulkFixtures } from './bulk-fixtures.ts'
import type { Stage } from './bench.ts'
import { putUnderLoad } from './load.ts'
import { openStaffServer, type StaffServer } from './staff-server.ts'

const SDL = path.join(import.meta.dirname, '../src/admin/graphql/schema.graphql')
const CONNECTIONS = 16
const SECONDS = 4
const DAY_MS = 86_400_000

const QUERY = `query Dashboard($since: ISO8601DateTime!) {
  hypervisors { id databaseId name cpuUsage memoryUsage ipv4Usage ipv6Usage site { id name } routers { totalCount } }
  pending: transitPrefixes(status: PENDING) { totalCount }
  approved: transitPrefixes(status: APPROVED, first: 200) { totalCount nodes { id databaseId ipTransit { asn } } }
  recent: users(since: $since) { totalCount } customers: users(wantsCustomers: true) { totalCount }
  users { totalCount } revenue { projected { amount currency } accrued { amount currency } } }`

export default withBulkFixtures(putUp)

async function putUp(url: string): Promise<Stage> {
  const ours = await openStaffServer(url)
  const question = { query: QUERY, variables: { since: new Date(Date.now() - 30 * DAY_MS).toISOString() } }
  const peer = await openYoga(url, ours, question)
  return {
    comparisons: [
      {
        name: `the dashboard, ${CONNECTIONS} at once`,
        unit: 'per second',
        ours: () => perSecond(ours.url, question),
        peer: { name: 'GraphQL Yoga with the same SQL', measure: () => perSecond(peer.url, question) },
      },
    ],
    close: async () => {
      await peer.close()
      await ours.close()
    },
  }
}

async function openYoga(url: string, server: StaffServer, question: { query: string; variables: object }) {
  const statements = await server.sqlOf(question)
  const { data } = (await (await post(server.url, question)).json()) as { data: Record<string, unknown> }
  // As large as ours.
  const pool = new pg.Pool({ connectionString: url, max: server.pool.options.max })
  const schema = buildSchema(await readFile(SDL, 'utf8'))
  /** The field of a response, by the arguments that distinguish two of one name. */
  const answers = {
    ...data,
    transitPrefixes: ({ status }: { status: string }) => data[status === 'PENDING' ? 'pending' : 'approved'],
    users: ({ since, wantsCustomers }: { since?: unknown; wantsCustomers?: boolean }) =>
      data[since ? 'recent' : wantsCustomers ? 'customers' : 'users'],
  }
  const yoga = createYoga({
    schema,
    graphiql: false,
    landingPage: false,
    maskedErrors: false,
    plugins: [
      {
        onExecute: async ({ args }: { args: { rootValue?: unknown } }) => {
          await Promise.all(statements.map(({ sql, parameters }) => pool.query(sql, [...parameters])))
          args.rootValue = answers
        },
      },
    ],
    graphqlEndpoint: '/api/graphql',
  })
  const http = createServer((request, response) => void yoga(request, response))
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    close: async () => {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
      await pool.end()
    },
  }
}

const post = (base: string, question: object): Promise<Response> =>
  fetch(`${base}/api/graphql`, {
    method: 'POST',
    headers: { authorization: 'Bearer bench', 'content-type': 'application/json' },
    body: JSON.stringify(question),
  })

const perSecond = (address: string, question: object): Promise<number> =>
  putUnderLoad({
    address,
    path: '/api/graphql',
    headers: { authorization: 'Bearer bench' },
    json: JSON.stringify(question),
    connections: CONNECTIONS,
    seconds: SECONDS,
  })
