import { describe, expect, test } from 'vitest'
import { auditQuery, auditSearch } from '../../../ui/staff/audit-search.ts'
import { describeChange, summarize } from './describe-change.ts'

describe('what an event changed', () => {
  test('is told by field, and only what differs', () => {
    const data = {
      before: { firstName: 'Ann', plan: 'lark', may_be_billed: false },
      after: { firstName: 'Bea', plan: 'lark', may_be_billed: true },
    }
    expect(describeChange(data)).toEqual({
      changes: [
        { name: 'first name', before: 'Ann', after: 'Bea' },
        { name: 'may be billed', before: 'no', after: 'yes' },
      ],
      notes: [],
    })
    expect(summarize(describeChange(data))).toBe('first name: Ann → Bea, and 1 more')
  })

  test('is told of a step from one state to another in the words of the screens', () => {
    const data = { to: 'APPROVED', from: 'PENDING', value: '192.0.2.0/24' }
    expect(describeChange(data, 'prefix').changes).toEqual([{ name: '', before: 'Pending', after: 'Approved' }])
    expect(summarize(describeChange({ ...data, to: 'NEEDS_ACTION' }, 'prefix'))).toBe('Pending → Needs action')
    expect(summarize(describeChange({ before: 'CURRENT', after: 'REMINDED' }, 'billing'))).toBe(
      'In good standing → Reminded',
    )
    expect(summarize(describeChange(data, 'quasar'))).toBe('PENDING → APPROVED')
  })

  test('is told of single values and of lists', () => {
    expect(summarize(describeChange({ before: 'lark', after: 'heron' }))).toBe('lark → heron')
    expect(summarize(describeChange({ before: [], after: ['support', 'billing'] }))).toBe('nothing → support, billing')
    expect(describeChange({ after: { asn: 500_010 } }).changes).toEqual([
      { name: 'ASN', before: null, after: 'AS500010' },
    ])
  })

  test('is told in money where a currency is beside it, the most telling first', () => {
    const data = { open: 9414, number: 'INV-2026-000011', reason: 'Bankrupt', currency: 'EUR' }
    expect(summarize(describeChange(data))).toBe('number: INV-2026-000011, open: €94.14, reason: Bankrupt')
    expect(
      summarize(describeChange({ scope: 'ALL', endsAt: null, reason: 'x', percent: 10, description: 'Friends' })),
    ).toBe('description: Friends, percent: 10, scope: ALL')
    expect(summarize(describeChange({ amount: 2500, product: 'setup:transit' }))).toBe(
      'amount: 2500, product: setup:transit',
    )
  })

  test('is beside what else was noted', () => {
    expect(describeChange({ reason: 'Because.', nested: { a: 1 } })).toEqual({
      changes: [],
      notes: [
        { name: 'reason', value: 'Because.' },
        { name: 'nested', value: '{"a":1}' },
      ],
    })
    expect(summarize(describeChange({}))).toBe('')
  })
})

describe('the address of a part of the audit log', () => {
  test('keeps what fits and leaves out what does not', () => {
    const raw = {
      actor: '7',
      user: 'x',
      subjectType: 'router',
      subjectId: -1,
      action: "a'",
      from: '2026-03-01',
      to: 'soon',
    }
    expect(auditSearch(raw)).toEqual({ actor: 7, subjectType: 'router', from: '2026-03-01' })
  })

  test('takes days whole, by the clock of the reader', () => {
    const { from, to } = auditQuery({ from: '2026-02-28', to: '2026-02-28' }, '')
    expect(new Date(from!)).toEqual(new Date(2026, 1, 28))
    expect(new Date(to!)).toEqual(new Date(2026, 2, 1))
    expect(auditQuery({}, 'ann')).toEqual({ search: 'ann' })
  })
})
