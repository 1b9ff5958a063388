import { describe, expect, test } from 'vitest'
import type { CarriedCustomer } from '../../drivers/edge/index.ts'
import { compareCarried, routeKey, shrinkOf, type ShrinkFacts } from './changes.ts'

const customer = (id: number, count: number, given: Partial<CarriedCustomer> = {}): CarriedCustomer => ({
  id,
  asn: 500_000 + id,
  enabled: true,
  accept: Array.from({ length: count }, (_, n) => ({ prefix: `45.${id}.${n}.0/24`, origin: 500_000 + id })),
  statics: [],
  ...given,
})
const many = (count: number, prefixes: number) => Array.from({ length: count }, (_, n) => customer(n + 1, prefixes))

describe('what a load changes', () => {
  test('is named per customer: who comes and goes, is held down, and which prefixes', () => {
    const before = [customer(1, 2), customer(2, 1), customer(3, 1), customer(4, 1, { enabled: false }), customer(5, 1)]
    const after = [
      customer(1, 1, { statics: ['45.9.0.0/24'] }),
      customer(3, 1, { enabled: false }),
      customer(4, 1),
      customer(5, 1),
      customer(6, 1),
    ]
    expect(compareCarried(before, after)).toEqual([
      {
        id: 1,
        asn: 500_001,
        what: 'changed',
        added: [{ prefix: '45.9.0.0/24', origin: 'static' }],
        removed: [{ prefix: '45.1.1.0/24', origin: 500_001 }],
      },
      { id: 2, asn: 500_002, what: 'removed', added: [], removed: [{ prefix: '45.2.0.0/24', origin: 500_002 }] },
      { id: 3, asn: 500_003, what: 'disabled', added: [], removed: [] },
      { id: 4, asn: 500_004, what: 'enabled', added: [], removed: [] },
      { id: 6, asn: 500_006, what: 'added', added: [{ prefix: '45.6.0.0/24', origin: 500_006 }], removed: [] },
    ])
  })

  test('includes an origin that is another, as one prefix that goes and one that comes', () => {
    const after = customer(1, 0, { accept: [{ prefix: '45.1.0.0/24', origin: 7 }] })
    expect(compareCarried([customer(1, 1)], [after])).toMatchObject([
      { added: [{ origin: 7 }], removed: [{ origin: 500_001 }] },
    ])
  })
})

describe('a load that a person has to confirm', () => {
  const why = (before: CarriedCustomer[], after: CarriedCustomer[], facts: Partial<ShrinkFacts> = {}) =>
    shrinkOf({
      before,
      changes: compareCarried(before, after),
      decided: new Set(),
      accepted: new Set(),
      limit: 0.2,
      ...facts,
    })?.why ?? null

  test.each<[string, CarriedCustomer[], CarriedCustomer[], Partial<ShrinkFacts>, string | null]>([
    ['one that drops nothing', many(4, 20), many(4, 30), {}, null],
    ['one within the share', many(4, 20), many(4, 16), {}, null],
    ['one beyond it', many(4, 20), many(4, 15), {}, '20 of 80 prefixes'],
    ['all of a few', many(1, 9), [], {}, null],
    ['all of two small customers', many(2, 1), [], {}, '2 of 2 prefixes, 2 of 2 customers'],
    [
      'all of four small customers, who are held down',
      many(4, 2),
      many(4, 2).map((one) => ({ ...one, enabled: false })),
      {},
      '8 of 8 prefixes, 4 of 4 customers',
    ],
    ['all prefixes of two small customers, who stay', many(2, 3), many(2, 0), {}, '6 of 6 prefixes'],
    ['all but one of three small customers', many(3, 1), many(1, 1), {}, null],
    ['all that is left once a person took the others', many(3, 1), [], { decided: new Set([2, 3]) }, null],
    ['all of two, for an operator who never wants to be asked', many(2, 1), [], { limit: 1 }, null],
    ['all of ten', many(1, 10), [], {}, '10 of 10 prefixes'],
    ['customers without prefixes', many(20, 0), many(14, 0), {}, '6 of 20 customers'],
    [
      'customers who are held down',
      many(10, 3),
      many(10, 3).map((one) => ({ ...one, enabled: one.id > 5 })),
      {},
      '15 of 30 prefixes, 5 of 10 customers',
    ],
    ['customers who were held down anyway', many(10, 3).map((one) => ({ ...one, enabled: false })), [], {}, null],
    [
      'customers who move to another edge',
      many(10, 3),
      many(2, 3),
      { decided: new Set([3, 4, 5, 6, 7, 8, 9, 10]) },
      null,
    ],
    [
      'what the edge originates',
      [customer(1, 0, { statics: many(1, 50)[0]!.accept.map(({ prefix }) => prefix) })],
      [customer(1, 0)],
      {},
      null,
    ],
    ['an operator who never wants to be asked', many(4, 20), [], { limit: 1 }, null],
    [
      'few prefixes that carry most of the accepted routes',
      many(10, 10),
      many(10, 10).map((one) => (one.id <= 2 ? customer(one.id, 0) : one)),
      {
        limit: 0.3,
        accepted: new Set(many(2, 10).flatMap(({ id, accept }) => accept.map(({ prefix }) => routeKey(id, prefix)))),
      },
      '20 of 20 accepted routes',
    ],
  ])('%s', (_, before, after, facts, expected) => {
    expect(why(before, after, facts)).toBe(expected && `This load would drop ${expected}.`)
  })

  test('is confirmed for what it drops, whatever it adds besides', () => {
    const before = many(4, 20)
    const digest = (after: CarriedCustomer[]) =>
      shrinkOf({ before, changes: compareCarried(before, after), decided: new Set(), accepted: new Set(), limit: 0.2 })!
        .digest
    expect(digest([...many(2, 20), customer(9, 3)])).toBe(digest(many(2, 20)))
    expect(digest([customer(1, 20), customer(2, 19)])).not.toBe(digest(many(2, 20)))
  })
})
