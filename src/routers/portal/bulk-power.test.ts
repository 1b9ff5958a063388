import { expect, test } from 'vitest'
import { MAX_BULK_ROUTERS, type RouterState } from '../states.ts'
import { leftOutTitle, outcomesInWords, selectionProblem, splitSelection } from './bulk-power.ts'

const router = (id: number, state: RouterState) => ({ id, name: `edge-${id}`, state })
const outcome = (id: number, result: 'DONE' | 'UNCHANGED' | 'REFUSED', detail: string | null = null) => ({
  id,
  name: id < 100 ? `edge-${id}` : null,
  state: null,
  outcome: result,
  code: null,
  detail,
})

test('a selection says which routers an action is not asked for, by their state', () => {
  const rows = [router(1, 'STOPPED'), router(2, 'RUNNING'), router(3, 'SUSPENDED'), router(4, 'RUNNING')]
  const { taken, left } = splitSelection('start', rows)
  expect(taken.map(({ id }) => id)).toEqual([1])
  expect(left).toEqual([
    { state: 'running', names: 'edge-2, edge-4', count: 2 },
    { state: 'suspended', names: 'edge-3', count: 1 },
  ])
  expect(leftOutTitle('start', 3)).toBe('3 selected routers are left out: they are not stopped or failed.')
  expect(leftOutTitle('reboot', 1)).toBe('1 selected router is left out: it is not running.')
})

test('many names are shortened, and none is counted twice', () => {
  const rows = Array.from({ length: 12 }, (_, index) => router(index, 'STOPPED'))
  expect(splitSelection('reboot', rows).left[0]!.names).toMatch(/^edge-0, .* and 4 more$/)
})

test('an action that no selected router takes, or too many do, is not offered', () => {
  expect(selectionProblem('reboot', [router(1, 'STOPPED')])).toBe('None of the selected routers is running.')
  expect(selectionProblem('reboot', [router(1, 'RUNNING')])).toBeNull()
  const many = Array.from({ length: MAX_BULK_ROUTERS + 1 }, (_, index) => router(index, 'RUNNING'))
  expect(selectionProblem('reboot', many)).toBe('Select at most 100 routers.')
  expect(selectionProblem('reboot', many.slice(1))).toBeNull()
})

test('what became of each is told, with the reason of each refusal', () => {
  expect(outcomesInWords('start', [outcome(1, 'DONE'), outcome(2, 'DONE')])).toEqual({
    type: 'success',
    title: 'Start: requested for 2 routers',
    body: '',
  })
  expect(
    outcomesInWords('shutdown', [
      outcome(1, 'DONE'),
      outcome(2, 'UNCHANGED'),
      outcome(3, 'REFUSED', 'It is suspended.'),
      outcome(100, 'REFUSED', 'There is no such router.'),
    ]),
  ).toEqual({
    type: 'error',
    title: 'Shut down: requested for 1 router, nothing to do for 1 router, rejected for 2 routers',
    body: 'edge-3: It is suspended. A router: There is no such router.',
  })
})
