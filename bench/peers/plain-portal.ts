/**
 * `node bench/peers/plain-portal.ts DATA_DIR`: some reads of the portal, written by hand with Fastify and pg. It looks
 * up the session, reads the same rows from the same database with prepared statements, and returns the same JSON. The
 * list of prefixes returns its rows, without the stages that the portal derives from them. Prints `ready ADDRESS`.
 */
import { createHash } from 'node:crypto'
import cookie from '@fastify/cookie'
import fastify from 'fastify'
import pg from 'pg'
import { startEmbedded } from '../../src/platform/db/embedded.ts'

const SECOND_FACTOR = `(exists (select from totp_factors f where f.user_id = u.id and f.confirmed_at is not null)
  or exists (select from passkeys p where p.user_id = u.id)) as second_factor`

const SESSION = `
  select s.id, s.created_at, s.last_seen_at, u.id as user_id, u.account_id, u.email, u.is_admin, u.staff_roles, h.verified_at, ${SECOND_FACTOR}
  from sessions s join users u on u.id = s.user_id left join asn_ownerships h on h.account_id = u.account_id
  where u.closed_at is null and s.digest = $1`

const USER = `
  select u.id, email, is_admin, staff_roles, first_name, last_name, created_at, last_sign_in_at, last_sign_in_ip, asn,
    verified_at, confirmed_at, ${SECOND_FACTOR}
  from users u left join asn_ownerships h on h.account_id = u.account_id left join totp_factors t on t.user_id = u.id
  where u.id = $1 and closed_at is null`

const ROUTERS = `
  select h.slug as hypervisor, h.connected, h.connected_at, s.slug as site, s.name as site_name, p.slug as plan,
    p.name as plan_name, i.slug as image, i.name as image_name, i.source, a.prefix4, a.prefix6,
    host(l.address4) as address4, host(l.address6) as address6, host(a.gateway4) as gateway4, host(a.gateway6) as gateway6,
    r.id, r.uuid, r.name, r.cpus, r.memory, r.disk_size, r.created_at, r.desired_state, r.purge_at, r.task, r.suspended, r.observed,
    r.observed_at, r.failure, r.address_at, r.disk_at, r.boot_at, r.ready_at, r.reachable_at
  from routers r join hypervisors h on h.id = r.hypervisor_id join sites s on s.id = r.site_id
    join plans p on p.id = r.plan_id join images i on i.id = r.image_id
    join address_leases l on l.router_id = r.id join address_pools a on a.id = l.pool_id
  where r.account_id = $1 order by r.id desc`

const PREFIXES = 'select * from transit_prefixes where account_id = $1 order by id desc limit 1000'

const CONNECTION = `
  select c.as_set, c.router_id, c.enabled, t.family, t.state, t.down_since, t.last_error, s.name as site, e.id, e.name, e.error_kind, e.error, e.applied_at,
    e.observed_at, h.id as holder_id, h.name as holder_name, h.error_kind as holder_error_kind, h.error as holder_error,
    h.applied_at as holder_applied_at, h.observed_at as holder_observed_at
  from users u left join transit_connections c on c.account_id = u.account_id left join routers r on r.id = c.router_id
    left join sites s on s.id = r.site_id
    left join transit_edges e on e.id = (
      select coalesce(v.edge_id, (select min(id) from transit_edges having count(*) = 1))
      from routers left join transit_edge_sites v on v.site_id = routers.site_id where routers.id = c.router_id)
    left join transit_edges h on h.id = c.edge_id left join transit_sessions t on t.connection_id = c.id
  where u.account_id = $1`

const database = await startEmbedded({ dataDir: process.argv[2]! })
const pool = new pg.Pool({ connectionString: database.url, max: 16 })
const read = async (name: string, text: string, value: unknown) =>
  (await pool.query({ name, text, values: [value] })).rows

const app = fastify()
await app.register(cookie)
app.decorateRequest('userId', 0)
app.decorateRequest('accountId', 0)
app.addHook('onRequest', async (request, reply) => {
  const digest = createHash('sha256')
    .update(request.cookies['session'] ?? '')
    .digest()
  const [session] = await read('session', SESSION, digest)
  if (!session || Date.now() - session.last_seen_at.getTime() > 2_592_000_000) return reply.code(401).send()
  request.setDecorator('userId', session.user_id)
  request.setDecorator('accountId', session.account_id)
})

app.get('/api/user', async (request) => {
  const [row] = await read('user', USER, request.getDecorator('userId'))
  return {
    id: Number(row.id),
    email: row.email,
    isAdmin: row.is_admin,
    roles: row.staff_roles,
    asn: row.asn === null ? null : Number(row.asn),
    asnVerifiedAt: row.verified_at,
    firstName: row.first_name,
    lastName: row.last_name,
    hasTotp: row.confirmed_at !== null,
    needsSecondFactor: false,
    acting: null,
    createdAt: row.created_at,
    lastSignInAt: row.last_sign_in_at,
    lastSignInIp: row.last_sign_in_ip,
  }
})

app.get('/api/virtual_machines', async (request) => {
  const accountId = request.getDecorator('accountId')
  const rows = await read('routers', ROUTERS, accountId)
  const around = await read('connection', CONNECTION, accountId)
  return rows.map((row) => {
    const id = Number(row.id)
    const state = row.ready_at === null ? 'CREATING' : row.observed
    return {
      id,
      uuid: row.uuid,
      name: row.name,
      state,
      stateKnown: row.connected,
      observedAt: row.observed_at,
      failure: row.failure,
      cpus: row.cpus,
      memory: row.memory,
      diskSize: row.disk_size,
      image: row.image,
      plan: row.plan,
      site: row.site,
      labels: { image: row.image_name, plan: row.plan_name, site: row.site_name },
      mac: `024c${id.toString(16).padStart(8, '0')}`.replace(/(..)(?!$)/g, '$1:'),
      addresses: [
        { family: 4, address: row.address4, prefixLength: lengthOf(row.prefix4), gateway: row.gateway4 },
        { family: 6, address: row.address6, prefixLength: lengthOf(row.prefix6), gateway: row.gateway6 },
      ],
      createdAt: row.created_at,
      steps: [
        { name: 'address', at: row.address_at },
        { name: 'disk', at: row.disk_at },
        { name: 'boot', at: row.boot_at },
        { name: 'reachable', at: row.reachable_at },
      ],
      purgeAt: row.purge_at,
      sessions: around
        .filter((one) => one.router_id === row.id && one.family !== null)
        .map(({ family, state: seen, down_since: downSince, last_error: lastError }) => ({
          family,
          state: seen,
          stateKnown: true,
          downSince,
          lastError,
        })),
      allowedActions: state === 'RUNNING' ? ['shutdown', 'reboot', 'stop', 'reset', 'delete'] : ['delete'],
    }
  })
})

const lengthOf = (prefix: string): number => Number(prefix.split('/')[1])

app.get('/api/transit_prefixes', async (request) => {
  const accountId = request.getDecorator('accountId')
  const [prefixes, around] = await Promise.all([
    read('prefixes', PREFIXES, accountId),
    read('connection', CONNECTION, accountId),
  ])
  return prefixes.map((prefix) => ({ ...prefix, connection: around }))
})

process.stdout.write(`ready ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)

process.once('SIGTERM', () => {
  void app
    .close()
    .then(() => pool.end())
    .then(() => database.stop())
    .then(() => process.exit(0))
})
