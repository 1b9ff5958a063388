import { expect, test } from 'vitest'
import { seriesAsCsv } from './saved-series.ts'

test('a series is saved with empty fields where nothing was measured, and zeros where zero was', () => {
  const times = ['2026-11-20T10:00:00.000Z', '2026-11-20T10:00:10.000Z']
  const series = {
    from: times[0]!,
    to: times[1]!,
    step: 10,
    times,
    cpu: [0, null],
    memory: [1, null],
    rx: [2, 0],
    tx: [3, null],
  }
  expect(seriesAsCsv(series, 'mebibytes').split('\r\n')).toEqual([
    'time,cpu_fraction,memory_mebibytes,rx_bits_per_second,tx_bits_per_second',
    '2026-11-20T10:00:00.000Z,0,1,2,3',
    '2026-11-20T10:00:10.000Z,,,0,',
    '',
  ])
  expect(seriesAsCsv(series, 'fraction')).toMatch(/^time,cpu_fraction,memory_fraction,/)
})
