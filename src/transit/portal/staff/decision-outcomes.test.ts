import { expect, test } from 'vitest'
import { inWords } from './decision-outcomes.ts'

const outcome = (id: number, outcome: 'DONE' | 'HELD' | 'UNCHANGED' | 'REFUSED', detail: string | null = null) => ({
  id,
  value: `45.30.${id}.0/24`,
  status: 'PENDING' as const,
  outcome,
  code: null,
  detail,
})

test('a whole success is one number', () => {
  expect(inWords('approve', [outcome(1, 'DONE'), outcome(2, 'HELD')])).toEqual({ title: '2 approved', body: '' })
  expect(inWords('undo', [outcome(1, 'DONE')])).toEqual({ title: '1 undone', body: '' })
})

test('a partial success counts each kind, and says why what was refused was', () => {
  const mixed = [outcome(1, 'DONE'), outcome(2, 'UNCHANGED'), outcome(3, 'REFUSED', 'Two people have to approve it.')]
  expect(inWords('approve', mixed)).toEqual({
    title: '1 approved, 1 approved before, 1 not approved',
    body: '45.30.3.0/24: Two people have to approve it.',
  })
})

test('of many refusals the first are named and the others counted', () => {
  const many = Array.from({ length: 5 }, (_, id) => outcome(id, 'REFUSED', 'No.'))
  expect(inWords('reject', many)).toMatchObject({
    title: '5 not rejected',
    body: expect.stringMatching(/And 2 more\.$/),
  })
})
