/** Reduces a month of samples to chart points by the maximum of each step: an average would hide what is billed. */

/** More points than a screen has pixels are useless. */
const POINTS = 720

export interface Samples {
  readonly from: string
  readonly stepSeconds: number
  readonly received: readonly number[]
  readonly sent: readonly number[]
}

export function busiestOfEach({ from, stepSeconds, received, sent }: Samples): {
  readonly times: readonly string[]
  readonly series: { readonly received: readonly number[]; readonly sent: readonly number[] }
} {
  const step = Math.max(1, Math.ceil(received.length / POINTS))
  const starts = Array.from({ length: Math.ceil(received.length / step) }, (_, index) => index * step)
  const peaks = (values: readonly number[]) => starts.map((start) => Math.max(...values.slice(start, start + step)))
  return {
    times: starts.map((start) => new Date(Date.parse(from) + start * stepSeconds * 1_000).toISOString()),
    series: { received: peaks(received), sent: peaks(sent) },
  }
}
