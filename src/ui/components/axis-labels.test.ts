import { expect, test } from 'vitest'
import { axisLabels } from './axis-labels.ts'
import { bitRate, mebibytes, percent } from './quantity.ts'

test('the marks of a scale have the same unit and the same number of decimals', () => {
  expect(axisLabels([-1_000_000, 0, 500_000, 1_500_000], bitRate)).toEqual([
    '1.00 Mbit/s',
    '0',
    '0.50 Mbit/s',
    '1.50 Mbit/s',
  ])
  expect(axisLabels([0, 7_500_000, 15_000_000], bitRate)).toEqual(['0', '7.50 Mbit/s', '15.00 Mbit/s'])
  expect(axisLabels([0, 512, 1024], mebibytes)).toEqual(['0', '0.50 GiB', '1.00 GiB'])
})

test('whole marks have no decimals', () => {
  const euros = (amount: number) => ({ number: `€${(amount / 100).toFixed(2)}`, unit: '' })
  const thousands = (amount: number) => ({ number: `€${amount / 1_000}K`, unit: '' })
  expect(axisLabels([0, 1000, 2000], euros)).toEqual(['0', '€10', '€20'])
  expect(axisLabels([250, 500], euros)).toEqual(['€2.50', '€5.00'])
  expect(axisLabels([5_000, 12_500], thousands)).toEqual(['€5.0K', '€12.5K'])
  expect(axisLabels([0, 0.1, 0.2], percent)).toEqual(['0', '10 %', '20 %'])
})
