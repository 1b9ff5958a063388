import type { MetricsSeries } from '../contract.ts'

const HEADER = 'time,cpu_fraction,memory_mebibytes,rx_bits_per_second,tx_bits_per_second'

/** Unmeasured values are empty fields, never zeros. */
export function seriesAsCsv({ times, cpu, memory, rx, tx }: MetricsSeries): string {
  const rows = times.map((time, index) =>
    [time, ...[cpu, memory, rx, tx].map((values) => values[index] ?? '')].join(','),
  )
  return `${[HEADER, ...rows].join('\r\n')}\r\n`
}

/** Saves the numbers behind the charts as a file. */
export function saveSeries(name: string, series: MetricsSeries): void {
  const url = URL.createObjectURL(new Blob([seriesAsCsv(series)], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}-${series.to.slice(0, 16).replace(':', '')}.csv`
  link.click()
  URL.revokeObjectURL(url)
}
