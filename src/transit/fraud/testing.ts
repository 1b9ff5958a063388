/** One operator, and attackers who know every rule. They use the product's own API on its own database. */
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { readMailBody } from '../../platform/mail.ts'
import { registrationReconciler } from '../evidence/registration-job.ts'
import { reverseDnsReconciler } from '../evidence/reverse-dns-job.ts'
import { checkReconciler } from '../prefixes/checks/check-job.ts'
import { createTransitTestApp } from '../testing.ts'
import { heronNetwork } from '../testing-sources.ts'

/** `second` is the second octet of all IPv4 space in one test file. */
export async function createFraudTestApp(second: number) {
  const testApp = await createTransitTestApp(createSimulatedEdge({ sessionDelayMs: 0 }))
  const { call, db, deps, registry } = testApp
  const staff = await testApp.addUser({ isAdmin: true })
  const jobs = {
    check: checkReconciler(deps),
    dns: reverseDnsReconciler(deps),
    registration: registrationReconciler(deps),
  }
  let [third, asn] = [0, 2_000_000 + second * 1_000]
  await db.updateTable('prefix_policy').set({ open_requests: 500, requests_per_hour: 10_000 }).execute()
  const nextValue = (): string => `45.${second}.${++third}.0/24`
  const request = async (value = nextValue()) => {
    const own = ++asn
    const userId = await testApp.addUser({ asn: own })
    const id = await testApp.request(userId, value)
    const { body } = await call(userId, 'GET', `/api/transit_prefixes/${id}`)
    const records: readonly { name: string }[] = body.reverseDns?.records ?? []
    return { id, userId, asn: own, value, token: body.token as string, names: records.map(({ name }) => name) }
  }
  const send = (id: number, body: object, as = staff) =>
    call(as, 'POST', `/api/admin/transit_prefixes/${id}/contact_links`, body)
  const lastToken = async (): Promise<string> => {
    const mails = db.selectFrom('outgoing_mail').selectAll().orderBy('id', 'desc').limit(1)
    const { text } = readMailBody(deps.secretKey, await mails.executeTakeFirstOrThrow())!
    return /token=([\w-]+)/.exec(text)![1]!
  }
  return {
    ...testApp,
    staff,
    network: heronNetwork,
    nextValue,
    nextAsn: () => ++asn,
    request,
    /** A request of another customer. */
    requestAs: async (value: string): Promise<number> => (await request(value)).id,
    /** Another request of the same customer. */
    requestMore: (userId: number) => testApp.request(userId, nextValue()),
    run: (job: keyof typeof jobs, id: number) => jobs[job].reconcile(id, AbortSignal.timeout(10_000)),
    view: async (id: number, as = staff) => (await call(as, 'GET', `/api/admin/transit_prefixes/${id}`)).body,
    approve: (id: number, body: object = {}, as: number | null = staff) =>
      call(as, 'POST', `/api/admin/transit_prefixes/${id}/approve`, body),
    send,
    follow: (token: unknown, as: number | null = null) => call(as, 'POST', '/api/verify/prefix', { token }),
    /** A link to a contact of its block that was not followed yet. */
    async linked() {
      const one = await request()
      registry.networks.set(one.value, heronNetwork())
      const sent = await send(one.id, { purpose: 'SPACE', email: 'noc@heron.example' })
      if (sent.status !== 201) throw new Error(JSON.stringify(sent.body))
      return { ...one, token: await lastToken(), link: sent.body.contactLinks[0].id as number }
    },
    lastToken,
  }
}
