import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeEvent } from './activity-messages.ts'

test.each([
  [
    'session.started',
    { userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' },
    'Signed in with Firefox on Linux',
  ],
  ['asn.verified', { asn: 500_020, by: 'autnum_token' }, 'AS500020 was verified, by a registry remark'],
  [
    'asn.verified',
    { asn: 500_020, by: 'staff_link', followedBy: 'customer' },
    'AS500020 was verified, by a link that staff passed on, from your own session',
  ],
  ['asn.verified', { asn: 500_020, by: 'noc@as500020.example' }, 'AS500020 was verified, by noc@as500020.example'],
  ['asn.claimed', { before: null, after: { asn: 500_020 } }, 'AS500020 was registered'],
  [
    'asn.at_risk',
    { asn: 500_020, cause: 'holder_changed', lapsesAt: '2026-03-16T09:00:00.000Z' },
    'AS500020 must be verified again by 2026-03-16: the registered holder changed',
  ],
  [
    'account.billing_status_changed',
    { before: { mayBeBilled: false, suspended: false }, after: { mayBeBilled: true, suspended: false } },
    'Ordering enabled: payment method added',
  ],
  [
    'account.billing_status_changed',
    { before: { mayBeBilled: true, suspended: true }, after: { mayBeBilled: true, suspended: false } },
    'The account is no longer suspended',
  ],
  ['account.billing_status_changed', { after: { suspended: true } }, 'The account was suspended'],
  ['account.billing_status_changed', {}, 'The account’s billing status changed'],
  [
    'impersonation.action_taken',
    { call: 'PATCH /api/user', auditMessage: 'changed your name' },
    'Support changed your name',
  ],
  ['impersonation.action_taken', { call: 'PATCH /api/user' }, 'Support made a change for you'],
  ['prefix.rejected', { value: '45.30.12.0/24', reason: 'No proof.' }, 'Prefix 45.30.12.0/24 was rejected: No proof.'],
  ['router.reachable', { name: 'sandpiper-ams1' }, 'Router “sandpiper-ams1” came online'],
  ['router.retried', { name: 'sandpiper-ams1' }, 'Router “sandpiper-ams1” was retried immediately'],
  ['router.crashed', {}, 'A router crashed and was restarted'],
  ['router.console_opened', { name: 'ams1', kind: 'serial' }, 'The serial console of “ams1” was opened'],
  ['invoice.paid', { number: 'INV-2026-000001' }, 'Invoice INV-2026-000001 was paid'],
  ['invoice.paid', {}, 'An invoice was paid'],
  ['payment.succeeded', { amount: 1250, currency: 'EUR' }, 'A payment of €12.50 went through'],
  ['refund.requested', { amount: 1250 }, 'A refund was started'],
  ['payment.declined', { reason: 'card expired' }, 'A payment was declined: card expired'],
  ['quasar.sighted', {}, 'Quasar sighted'],
  ['invoice.written_off', { number: 'INV-2026-000001', open: 9414 }, 'Invoice INV-2026-000001 was written off'],
  [
    'billing_item.added',
    { kind: 'FEE', amount: 4500, currency: 'EUR', description: 'Remote hands' },
    'A fee of €45.00 was added to the next invoice: Remote hands',
  ],
  ['billing_item.added', { amount: 2500 }, 'A fee was added to the next invoice'],
  [
    'billing_item.cancelled',
    { kind: 'CREDIT', amount: 500, currency: 'EUR', description: 'Goodwill' },
    'A credit of €5.00 was canceled: Goodwill',
  ],
  ['payment_method.added', { brand: 'visa', last4: '4242' }, 'A card ending in 4242 was added'],
  ['discount.added', { percent: 12.5, description: 'Friends' }, 'A discount of 12.5 % was added: Friends'],
  [
    'transit_contract.added',
    { agreed: true, from: '2026-12-01T00:00:00.000Z' },
    'Custom transit pricing was added from 2026-12-01',
  ],
  ['transit_contract.added', { agreed: false }, 'IP transit returned to standard pricing'],
  ['dunning.stage_changed', { before: 'CURRENT', after: 'REMINDED' }, 'A reminder was sent: an invoice is overdue'],
  ['dunning.paused', { until: '2026-11-28' }, 'Reminders were paused until 2026-11-28'],
])('%s reads as a sentence', (action, data, sentence) => {
  expect(describeEvent({ action, data })).toBe(sentence)
})

test('nothing that is in the audit log breaks the list', () => {
  const actions = [
    'session.started',
    'payment.failed',
    'invoice.paid',
    'asn.verified',
    'asn.claimed',
    'router.renamed',
    'prefix.flagged',
    'x',
    '',
    '..',
  ]
  fc.assert(
    fc.property(fc.constantFrom(...actions), fc.dictionary(fc.string(), fc.jsonValue()), (action, data) => {
      expect(typeof describeEvent({ action, data })).toBe('string')
    }),
  )
})
