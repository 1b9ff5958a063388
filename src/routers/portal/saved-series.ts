import type { MetricsSeries } from '../contract.ts'

/** Of the memory of a router, and of a host. */
export type MemoryUnit = 'mebibytes' | 'fraction'

/** Unmeasured values are empty fields, never zeros. */
export function seriesAsCsv({ times, cpu, memory, rx, tx }: MetricsSeries, unit: MemoryUnit): string {
  const header = `time,cpu_fraction,memory_${unit},rx_bits_per_second,tx_bits_per_second`
  const rows = times.map((time, index) =>
    [time, ...[cpu, memory, rx, tx].map((values) => values[index] ?? '')].join(','),
  )
  return `${[header, ...rows].join('\r\n')}\r\n`
}

/** Saves the numbers behind the charts as a file. */
export function saveSeries(name: string, series: MetricsSeries, unit: MemoryUnit): void {
  const url = URL.createObjectURL(new Blob([seriesAsCsv(series, unit)], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}-${series.to.slice(0, 16).replace(':', '')}.csv`
  link.click()
  URL.revokeObjectURL(url)
}
