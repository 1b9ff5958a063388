import { describe, expect, test } from 'vitest'
import type { Stage, TransitPrefix } from '../contract.ts'
import { STAGES, type StageName } from '../states.ts'
import { firstProblem, focusOf } from '../../ui/components/StageList.tsx'
import { headlineText, prefixStages } from './prefix-stages.tsx'

type Changes = Partial<Record<StageName, Partial<Stage>>>
const prefix = (changes: Changes, of: Partial<TransitPrefix> = {}) =>
  ({
    value: '45.30.10.0/24',
    status: 'NEEDS_ACTION',
    checkedAt: '2026-07-01T12:00:00.000Z',
    ...of,
    stages: STAGES.map((name) => ({
      name,
      state: 'waiting',
      at: null,
      detail: '',
      cause: null,
      fix: null,
      earlier: null,
      todo: null,
      remediation: [],
      ...changes[name],
    })),
    rpki: { vrps: [] },
    irr: { objects: [] },
  }) as unknown as TransitPrefix
const shown = (changes: Changes) =>
  Object.fromEntries(prefixStages(prefix(changes), 'owner').map(({ id, state }) => [id, state]))
const headline = (changes: Changes) => headlineText(prefix(changes), prefixStages(prefix(changes), 'owner'))
const remediation = [{ kind: 'ROA', title: 'Create this ROA', text: 'ROA for AS500010', url: null }] as const

describe('the stages of a prefix', () => {
  test('put the first that is not done under way, and leave the rest to wait', () => {
    const stages = shown({ requested: { state: 'done' }, rpki: { state: 'done' }, irr: { state: 'done' } })
    expect(stages).toMatchObject({ irr: 'done', staff: 'now', filter: 'waiting' })
  })

  test('ask for attention where something is open and can be fixed', () => {
    expect(shown({ requested: { state: 'done' }, rpki: { remediation: [...remediation] } })['rpki']).toBe('attention')
  })

  test('the stages of a pending request wait for staff: a missing ROA or route object is a note, and no headline', () => {
    const found: Changes = {
      requested: { state: 'done' },
      rpki: { detail: 'No ROA found', remediation: [...remediation] },
      irr: { detail: 'No route object found', remediation: [...remediation] },
      staff: { detail: 'Awaiting a decision by staff' },
    }
    const pending = prefix(found, { status: 'PENDING' })
    const stages = prefixStages(pending, 'owner')
    expect(stages.map(({ state }) => state).slice(0, 5)).toEqual(['done', 'missing', 'missing', 'now', 'waiting'])
    expect(stages[3]!.statusText).toBe('waiting')
    expect(firstProblem(stages)).toBeUndefined()
    expect(headlineText(pending, stages)).toBe('Staff: Awaiting a decision by staff')
    const unchecked = prefixStages(prefix(found, { status: 'PENDING', checkedAt: null }), 'owner')
    expect(unchecked[3]!.state).toBe('waiting')
  })

  test('wait for the customer where only the customer can continue, and say so to either reader', () => {
    const open = prefix({ requested: { state: 'done' }, filter: { todo: 'CHOOSE_ROUTER' } })
    const filterFor = (reader: 'owner' | 'staff') => prefixStages(open, reader).find(({ id }) => id === 'filter')
    expect(filterFor('owner')).toMatchObject({ state: 'attention', statusText: 'needs your action' })
    expect(filterFor('staff')).toMatchObject({ state: 'attention', statusText: 'needs customer action' })
  })

  test('keep a failure a failure although it can be fixed', () => {
    expect(shown({ rpki: { state: 'failed', remediation: [...remediation] } })['rpki']).toBe('failed')
  })

  test('never take what no one knows for a failure or for progress', () => {
    const stages = shown({ requested: { state: 'done' }, rpki: { state: 'unknown' } })
    expect(stages).toMatchObject({ rpki: 'unknown', irr: 'waiting' })
  })

  test('name what blocks before an earlier stage that only needs attention, and open the same', () => {
    const blocked: Changes = {
      requested: { state: 'done' },
      rpki: { detail: 'No ROA found', remediation: [...remediation] },
      irr: { state: 'failed', detail: 'Route objects list a different origin' },
    }
    expect(headline(blocked)).toBe('IRR: Route objects list a different origin')
    const stages = prefixStages(prefix(blocked), 'owner')
    expect(firstProblem(stages)).toBe(focusOf(stages))
  })

  test('say in one sentence what an approved prefix lost, and why', () => {
    const received = { state: 'failed', detail: 'IPv4 session down', cause: 'Your router closed the session.' } as const
    expect(headline({ received })).toBe('Received: IPv4 session down. Your router closed the session.')
  })

  test('bring evidence only where there is some', () => {
    const [requested, rpki] = prefixStages(prefix({ rpki: { remediation: [...remediation] } }), 'owner')
    expect(requested?.evidence).toBeUndefined()
    expect(rpki?.evidence).toBeDefined()
  })
})
