/** The range of time that a chart shows. */
export interface TimeSpan {
  readonly from: Date
  readonly to: Date
}

interface Drawn<S> {
  readonly times: readonly string[]
  readonly series: readonly S[]
}

/** Returns the points in the range with one more on each side, so that the line reaches its edges. Times ascend. */
export function within<S extends { readonly values: readonly (number | null)[] }>(
  { times, series }: Drawn<S>,
  { from, to }: TimeSpan,
): Drawn<S> {
  const first = times.findIndex((time) => Date.parse(time) >= from.getTime())
  const last = times.findIndex((time) => Date.parse(time) > to.getTime())
  const begin = Math.max(0, (first === -1 ? times.length : first) - 1)
  const end = last === -1 ? times.length : last + 1
  return {
    times: times.slice(begin, end),
    series: series.map((one) => ({ ...one, values: one.values.slice(begin, end) })),
  }
}
