/** The calls of billing, routers, transit and webhooks: see testing-calls.ts. */
import { sql } from 'kysely'
import { changeMailPreferences } from '../../accounts/emails/mail-preferences.ts'
import { finalInvoicesOf } from '../../billing/charges/reopened.ts'
import { changeAddress } from '../../billing/customers/customers.ts'
import { viewDunning } from '../../billing/dunning/history.ts'
import { liftSuspension, pausedUntil, pauseDunning, resumeDunning } from '../../billing/dunning/holds.ts'
import { pauseCharges } from '../../billing/dunning/services.ts'
import { createBillingEmails } from '../../billing/emails.ts'
import { addOneOffCharge } from '../../billing/fees/one-off-charge.ts'
import { currencyConflict, issueClosingInvoice } from '../../billing/invoices/closing.ts'
import { requestCollection } from '../../billing/invoices/collect.ts'
import { applyCreditBalance, refreshStatus, settle } from '../../billing/invoices/status.ts'
import { viewInvoiceOf } from '../../billing/invoices/view.ts'
import { cachedUsage } from '../../billing/metering/usage.ts'
import { addPaymentMethod, makeDefault } from '../../billing/payment-methods.ts'
import { beginPayment, beginPaymentWith } from '../../billing/payments/attempt.ts'
import type { ChargeDeps } from '../../billing/payments/charge-deps.ts'
import { customerOf } from '../../billing/payments/provider-events.ts'
import { purgeDeleted } from '../../routers/deletion.ts'
import { countRouters } from '../../routers/directory.ts'
import { changeConnection, suspendUnproved } from '../../transit/connections/connections.ts'
import { confirmContactLink } from '../../transit/contact-links/confirm.ts'
import { mailConsents } from '../../transit/contact-links/consents.ts'
import { subjectOfLink, subjectOfWithdrawal } from '../../transit/contact-links/link.ts'
import { withdrawConfirmation } from '../../transit/contact-links/withdraw.ts'
import { addBlackhole, endBlackholes } from '../../transit/controls/blackholes.ts'
import { draftLoa, listLoas, signLoa, verifyLoa } from '../../transit/loas/loas.ts'
import { answerReconciler } from '../../transit/looking-glass/answer-job.ts'
import { askEdge } from '../../transit/looking-glass/ask.ts'
import { countSent } from '../../transit/looking-glass/views.ts'
import { viewOwnWindow } from '../../transit/maintenance/own-windows.ts'
import { notifyCustomer } from '../../transit/maintenance/notify-job.ts'
import { startImport } from '../../transit/prefixes/import.ts'
import { importReconciler } from '../../transit/prefixes/import-job.ts'
import { viewQuotaForStaff } from '../../transit/prefixes/quota.ts'
import type { EdgeDeps, TransitDeps } from '../../transit/deps.ts'
import { assess } from '../../transit/evidence/store.ts'
import { viewOwnPrefix } from '../../transit/prefixes/prefix-views.ts'
import { anyPrefix } from '../../transit/prefixes/decisions.ts'
import { requestPrefix } from '../../transit/prefixes/requests.ts'
import { listDeliveries, replaySince } from '../../webhooks/deliveries.ts'
import { addEndpoint } from '../../webhooks/endpoints.ts'
import { rowToken } from '../../platform/row-token.ts'
import { call, type Call, type CallContext } from './testing-calls.ts'

const DAY_MS = 86_400_000
const dayAhead = ({ now }: CallContext): string => new Date(now.getTime() + 5 * DAY_MS).toISOString().slice(0, 10)

const monthAround = (now: Date) => ({ from: new Date(+now - 15 * DAY_MS), to: new Date(+now + 15 * DAY_MS) })

/** The code retries until another customer's card is free: one attempt is enough here. */
class AskedAgain extends Error {}

/** A payment provider that returns a card that A has saved, and cancels payments that wait for a cardholder. */
const charging = ({ db, deps, a }: CallContext): ChargeDeps => {
  let attached = 0
  return {
    db,
    clock: deps.clock,
    emails: createBillingEmails(deps),
    payments: {
      kind: 'test',
      ensureCustomer: async () => ({ customer: 'customer' }),
      attach: async () => {
        if (++attached > 1) throw new AskedAgain()
        return {
          reference: `${a.marker}-card`,
          brand: 'visa',
          last4: '4242',
          expMonth: 12,
          expYear: 2040,
        }
      },
      cancel: async () => ({ status: 'declined', reason: '' }),
    },
  } as unknown as ChargeDeps
}

const transit = ({ deps }: CallContext): TransitDeps =>
  ({ ...deps, operator: { asn: 64_500 }, irrSources: ['RIPE'], irrSource: 'RIPE' }) as unknown as TransitDeps

/** An edge without routes. */
const edge = ({ deps }: CallContext): EdgeDeps =>
  ({
    ...deps,
    edgeName: 'edge1',
    edge: { candidates: async () => ({ routes: [], complete: true }) },
  }) as unknown as EdgeDeps
const QUESTION = { kind: 'candidates', target: '192.0.2.1' } as const

const suspended = ({ db, b }: CallContext) =>
  sql`update dunning set stage = 'SUSPENDED' where account_id = ${b.account}`.execute(db)
const webhook = ({ b, now }: CallContext) =>
  ({
    id: b.number,
    account_id: b.account,
    enabled: true,
    events: ['router.created'],
    since: new Date(now.getTime() - 2 * DAY_MS),
  }) as const

export const SERVICE_CALLS: readonly Call[] = [
  call('change the address', ({ db, actor, b, now }) => changeAddress(db, actor, b.account, { city: 'Delft' }, now)),
  call(
    'show dunning',
    ({ db, b, now }) => viewDunning(db, b.account, now),
    ({ db, b }) => sql`update audit_events set action = 'dunning.paused' where account_id = ${b.account}`.execute(db),
  ),
  call('pause dunning', (context) =>
    pauseDunning(context.db, context.actor, context.b.account, { reason: 'x', until: dayAhead(context) }, context.now),
  ),
  call('resume dunning', ({ db, actor, b, now }) => resumeDunning(db, actor, b.account, 'x', now)),
  call(
    'lift a suspension',
    (context) => {
      const { deps, db, actor, b, now } = context
      return liftSuspension(
        { db, emails: createBillingEmails(deps) },
        actor,
        b.account,
        { reason: 'x', until: dayAhead(context) },
        now,
      )
    },
    suspended,
  ),
  call('read the pause of dunning', ({ db, b, now }) => pausedUntil(db, b.account, now)),
  call(
    'end a pause of charges',
    ({ db, b, now }) => pauseCharges(db, b.account, 'CURRENT', now),
    ({ db, b }) => sql`update billing_pauses set ends_at = null where account_id = ${b.account}`.execute(db),
  ),
  call('charge a fee', ({ db, b, now }) =>
    addOneOffCharge(
      db,
      { accountId: b.account, product: 'setup', reference: 'setup:x:1', description: 'x', amount: 1 },
      now,
    ),
  ),
  call(
    'find what is owed',
    ({ db, b, now }) => currencyConflict(db, b.account, now),
    async ({ db, a, b }) => {
      await sql`delete from ledger_entries where transaction_id in (${a.number}, ${b.number})`.execute(db)
      await sql`update invoices set status = 'DRAFT', number = null, issued_at = null, due_at = null where account_id = ${a.account}`.execute(
        db,
      )
    },
  ),
  call(
    'invoice what is left of an account that closes',
    ({ db, actor, b, now }) => issueClosingInvoice(db, actor, b.account, now),
    async ({ db, b }) => {
      await sql`delete from routers where account_id = ${b.account}`.execute(db)
      await sql`update router_usage_periods set ended_at = now() where account_id = ${b.account}`.execute(db)
      await sql`update billing_customers set billed_until = date_trunc('month', now(), 'UTC') where account_id = ${b.account}`.execute(
        db,
      )
    },
  ),
  ...(['before', 'at'] as const).map((when) =>
    call(
      `read the final invoices of an account that goes on, ${when} the end of its month`,
      ({ db, b, now }) => {
        const month = monthAround(now)
        return finalInvoicesOf(db, [{ account_id: b.account, billed_until: new Date(+now - 1_200_000) }], {
          month,
          until: when === 'at' ? month.to : now,
        })
      },
      async ({ db, now }) => {
        const { from, to } = monthAround(now)
        await sql`update invoices set reason = 'CLOSING', period_start = ${from}, period_end = ${to}`.execute(db)
        await sql`update invoice_lines set kind = 'OVERAGE'`.execute(db)
      },
    ),
  ),
  call(
    'read what was measured',
    ({ db, b, now }, periodStart: Date) =>
      cachedUsage(
        db,
        [{ accountId: b.account, subject: 'list:1', from: now, to: now, terms: {} as never }],
        periodStart,
      ),
    async ({ db, b }) => {
      const { period_start: periodStart } = await db
        .selectFrom('transit_usage')
        .select('period_start')
        .where('account_id', '=', b.account)
        .executeTakeFirstOrThrow()
      return periodStart
    },
  ),
  call(
    'email an invoice to B, who has no card and wants no receipts',
    async ({ db, deps, b }) => {
      const emails = () => db.selectFrom('outgoing_mail').select('id').where('user_id', '=', b.number).execute()
      const before = await emails()
      await createBillingEmails(deps).send(db, b.account, { kind: 'invoice', invoiceId: b.number })
      if ((await emails()).length === before.length) throw new Error('A card of A made the invoice of B a receipt.')
    },
    async ({ db, actor, b }) => {
      await sql`delete from payment_methods where account_id = ${b.account}`.execute(db)
      await sql`update invoices set status = 'OPEN' where account_id = ${b.account}`.execute(db)
      await changeMailPreferences(db, actor, b.number, { receipts: false })
    },
  ),
  call('ask to collect an invoice', ({ db, actor, b, now }) =>
    requestCollection(db, actor, { invoiceId: b.number, reason: 'x', provider: 'test' }, now),
  ),
  call(
    'recover a debt that was given up',
    ({ db, b, now }) => refreshStatus(db, b.number, now),
    async ({ db, a, b }) => {
      await sql`update invoices set status = 'UNCOLLECTIBLE' where account_id = ${b.account}`.execute(db)
      await sql`update ledger_entries set account = 'bad-debt', invoice_id = ${b.number} where transaction_id = ${a.number}`.execute(
        db,
      )
    },
  ),
  call('use a credit balance', ({ db, b, now }) =>
    applyCreditBalance(db, { id: b.number, account_id: b.account, currency: 'EUR' }, now),
  ),
  call(
    'book one invoice against another',
    ({ db, b, now }) =>
      settle(db, { account_id: b.account, currency: 'EUR', from: b.number, to: b.number, amount: 1 }, now),
    ({ db, b, now }) =>
      settle(db, { account_id: b.account, currency: 'EUR', from: b.number, to: b.number, amount: 1 }, now),
  ),
  call('show an invoice of A', ({ db, a, b }) => viewInvoiceOf(db, b.account, { invoice: a.number })),
  call(
    'save the card that A has',
    (context) =>
      addPaymentMethod(charging(context), context.actor, context.b.account, 'token').catch((error: unknown) => {
        if (!(error instanceof AskedAgain)) throw error
      }),
    ({ db, a }) =>
      sql`update payment_methods set provider = 'test', reference = ${`${a.marker}-card`} where account_id = ${a.account}`.execute(
        db,
      ),
  ),
  call(
    'choose another card',
    ({ db, actor, b, now }) => makeDefault(db, actor, b.account, b.number, now),
    ({ db, b }) => sql`update payment_methods set is_default = false where account_id = ${b.account}`.execute(db),
  ),
  call(
    'begin a payment',
    (context) => beginPayment(charging(context), context.b.number, context.b.account, null),
    ({ db, b }) => sql`update payments set status = 'DECLINED' where account_id = ${b.account}`.execute(db),
  ),
  call('pay an invoice of A', (context) => beginPayment(charging(context), context.a.number, context.b.account, null)),
  call(
    'pay with a card of A',
    (context) => beginPaymentWith(charging(context), context.b.number, context.b.account, context.a.number),
    ({ db, b }) =>
      sql`update payments set status = 'ACTION_REQUIRED', reference = 'x' where account_id = ${b.account}`.execute(db),
  ),
  call('name the customer at the provider', (context) => customerOf(charging(context), context.b.account)),
  call(
    'remove deleted routers',
    ({ db, b, now }) => purgeDeleted(db, b.account, now),
    ({ db, b }) =>
      sql`update routers set desired_state = 'absent', previous_desired_state = 'running', purge_at = now() where account_id = ${b.account}`.execute(
        db,
      ),
  ),
  call('count routers', ({ db, b }) => countRouters(db, b.account)),
  call('suspend the prefixes', (context) =>
    suspendUnproved(transit(context), context.db, context.actor, context.b.account),
  ),
  call('connect with another ASN and AS-SET', (context) => {
    const { db, actor, b } = context
    return changeConnection(transit(context), db, actor, b.account, { asn: 3_333, asSet: 'AS-OTHER' })
  }),
  call(
    'follow the link of a contact',
    (context, token: string) =>
      confirmContactLink(transit(context), context.db, { actor: context.actor, principal: null }, token),
    async ({ db, deps, b }) => {
      await sql`update prefix_contact_links set purpose = 'DOWNSTREAM', origin_asn = ${b.asn}, customer_asn = ${b.asn},
                  confirmed_at = null, voided_at = null, expires_at = now() + interval '1 day' where prefix_id = ${b.number}`.execute(
        db,
      )
      const link = await db
        .selectFrom('prefix_contact_links')
        .selectAll()
        .where('prefix_id', '=', b.number)
        .executeTakeFirstOrThrow()
      return rowToken(deps.secretKey, subjectOfLink(link))
    },
  ),
  call(
    'withdraw what a contact confirmed',
    (context, token: string) => withdrawConfirmation(transit(context), context.db, context.actor, token),
    async ({ db, deps, a, b }) => {
      await sql`update transit_prefixes set origin_asn = ${b.asn} where account_id = ${a.account}`.execute(db)
      await sql`update prefix_contact_links set purpose = 'DOWNSTREAM', origin_asn = ${b.asn}, customer_asn = ${b.asn},
                  confirmed_at = now(), voided_at = null, valid_until = now() + interval '1 day' where prefix_id = ${b.number}`.execute(
        db,
      )
      const link = await db
        .selectFrom('prefix_contact_links')
        .selectAll()
        .where('prefix_id', '=', b.number)
        .executeTakeFirstOrThrow()
      return rowToken(deps.secretKey, subjectOfWithdrawal(link))
    },
  ),
  call(
    'read what downstreams agreed to',
    ({ db, b, now }) => mailConsents(db, { accountId: b.account, customerAsn: b.asn, now }),
    ({ db, b }) =>
      sql`update prefix_contact_links set purpose = 'DOWNSTREAM', origin_asn = ${b.asn}, customer_asn = ${b.asn},
            confirmed_at = now(), voided_at = null, valid_until = now() + interval '1 day'`.execute(db),
  ),
  call(
    'assess an approval',
    async ({ db, b, now }) => assess(db, await anyPrefix(db, b.number, 'read'), now),
    async ({ db, b }) => {
      await sql`update asn_ownerships set verified_at = now() - interval '5 years'`.execute(db)
      await sql`update transit_prefixes set status = 'PENDING' where account_id = ${b.account}`.execute(db)
    },
  ),
  call(
    'request a prefix',
    (context) =>
      requestPrefix(transit(context), context.db, context.actor, context.b.account, {
        value: '45.91.64.0/24',
        announcementType: 'ORIGIN',
      } as never),
    // A has requested the same space, which does not block other customers.
    ({ db, a }) =>
      sql`update transit_prefixes set created_at = now(), status = 'PENDING', proven = false, value = '45.91.64.0/24'
           where account_id = ${a.account}`.execute(db),
  ),
  call('show a prefix of A', (context) =>
    viewOwnPrefix(transit(context), context.db, context.b.account, context.a.number),
  ),
  call(
    'add a blackhole',
    ({ deps, db, actor, b }, address: string) => addBlackhole(deps, db, actor, b.account, { address, minutes: 10 }),
    async ({ db, b }) => {
      const approved = await sql<{ address: string }>`
        update transit_prefixes set status = 'APPROVED' where account_id = ${b.account} returning host(value) as address`.execute(
        db,
      )
      return approved.rows[0]!.address
    },
  ),
  call(
    'end blackholes',
    ({ db, b, now }) => endBlackholes(db, { id: b.number, account_id: b.account }, now),
    ({ db }) =>
      sql`update transit_blackholes set ended_at = null, created_at = now() - interval '2 hours', expires_at = now() - interval '1 hour'`.execute(
        db,
      ),
  ),
  call(
    'verify a letter of authorization',
    ({ deps, db }, code: string) => verifyLoa(deps as unknown as TransitDeps, db, '10.0.0.1', code),
    async ({ db, b }) => {
      const { code } = await db
        .selectFrom('loas')
        .select('code')
        .where('account_id', '=', b.account)
        .executeTakeFirstOrThrow()
      return code
    },
  ),
  call(
    'sign a letter of authorization',
    async (context) => {
      const { db, actor, b } = context
      const [deps, signatory] = [transit(context), { name: 'Ada Lovelace', title: 'Head of Network' }]
      const { textDigest } = await draftLoa(deps, db, b.account, b.number)
      const which = { actor, accountId: b.account, prefixId: b.number }
      return signLoa(deps, db, which, { ...signatory, textDigest })
    },
    ({ db, b }) =>
      sql`update transit_prefixes set status = 'APPROVED' where account_id = ${b.account} and origin_asn is not null`.execute(
        db,
      ),
  ),
  call('list letters of authorization', ({ deps, db, b }) =>
    listLoas(deps as unknown as TransitDeps, db, { accountId: b.account, prefixId: b.number }),
  ),
  call(
    'ask an edge',
    ({ db, deps, b }) =>
      askEdge(
        { db, clock: deps.clock, bus: { subscribe: () => () => undefined } as unknown as TransitDeps['bus'] },
        { edgeId: 1, accountId: b.account, question: QUESTION },
      ),
    // A has made as many requests as an account may. B's request is answered as usual.
    async ({ db, a }) => {
      await sql`delete from edge_questions`.execute(db)
      await sql`insert into leases (key, holder, epoch, process, acquired_at, renewed_at, expires_at)
                values ('edge edge1', 'test', 1, 'test', now(), now(), now() + interval '1 hour')`.execute(db)
      await sql`insert into edge_questions (edge_id, account_id, question)
                select 1, ${a.account}, ${JSON.stringify(QUESTION)}::jsonb from generate_series(1, 6)`.execute(db)
      await sql`alter table edge_questions alter answer set default '{"error": null, "value": {}}'`.execute(db)
    },
  ),
  call(
    'answer what was asked of an edge',
    async (context, id: number) => {
      await answerReconciler(edge(context)).reconcile(id, AbortSignal.timeout(5_000))
    },
    async ({ db, b }) => {
      const asked = await sql<{ id: string }>`
        update edge_questions set edge_id = 1, answer = null, question = ${JSON.stringify(QUESTION)}::jsonb
         where account_id = ${b.account} returning id`.execute(db)
      return Number(asked.rows[0]!.id)
    },
  ),
  call('count routes sent', ({ db, b }) => countSent(db, b.account)),
  call('notifyCustomer of maintenance', (context) =>
    notifyCustomer(transit(context), context.db, 1, context.b.account),
  ),
  call('show maintenance', ({ db, b, now }) => viewOwnWindow(db, b.account, 1, now)),
  call(
    'start an import',
    ({ db, deps, b }) => startImport(db, deps.clock, b.account),
    async ({ db }) => void (await sql`update prefix_imports set finished_at = now()`.execute(db)),
  ),
  call('continue an import', ({ db, deps, b }) => startImport(db, deps.clock, b.account)),
  call(
    'read the registries for an import',
    async (context) => {
      const irr = { originated: async () => [] }
      const deps = { ...transit(context), irr } as unknown as TransitDeps
      await importReconciler(deps).reconcile(context.b.account, AbortSignal.timeout(5_000))
    },
    ({ db, b, now }) =>
      sql`update prefix_imports set started_at = ${now}, finished_at = null, as_set = null, asns = null, read = 0,
            prefixes = '[]' where account_id = ${b.account}`.execute(db),
  ),
  call('show a quota', ({ db, b }) => viewQuotaForStaff(db, b.account)),
  call('add a webhook', ({ db, deps, actor, b }) =>
    addEndpoint(
      { ...deps, sender: { denial: () => null } } as unknown as Parameters<typeof addEndpoint>[0],
      db,
      actor,
      b.account,
      {
        url: 'https://hooks.example.net/b',
        description: '',
        events: ['router.created'],
        enabled: true,
      },
    ),
  ),
  call('list deliveries', ({ db, b }) => listDeliveries(db, { accountId: b.account }, { limit: 10 })),
  call('replay what happened', (context) =>
    replaySince(context.db, webhook(context), webhook(context).since, context.now),
  ),
]
