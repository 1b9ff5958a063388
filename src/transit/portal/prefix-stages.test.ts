import { describe, expect, test } from 'vitest'
import type { Stage, TransitPrefix } from '../contract.ts'
import { STAGES, type StageName } from '../states.ts'
import { prefixStages } from './prefix-stages.tsx'

const prefix = (changes: Partial<Record<StageName, Partial<Stage>>>) =>
  ({
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
const shown = (changes: Parameters<typeof prefix>[0]) =>
  Object.fromEntries(prefixStages(prefix(changes), 'owner').map(({ id, state }) => [id, state]))
const remediation = [{ kind: 'ROA', title: 'Create this ROA', text: 'ROA for AS500010', url: null }] as const

describe('the stages of a prefix', () => {
  test('put the first that is not done under way, and leave the rest to wait', () => {
    const stages = shown({ requested: { state: 'done' }, rpki: { state: 'done' }, irr: { state: 'done' } })
    expect(stages).toMatchObject({ irr: 'done', staff: 'now', filter: 'waiting' })
  })

  test('ask for attention where something is open and can be fixed', () => {
    expect(shown({ requested: { state: 'done' }, rpki: { remediation: [...remediation] } })['rpki']).toBe('attention')
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

  test('bring evidence only where there is some', () => {
    const [requested, rpki] = prefixStages(prefix({ rpki: { remediation: [...remediation] } }), 'owner')
    expect(requested?.evidence).toBeUndefined()
    expect(rpki?.evidence).toBeDefined()
  })
})
