export interface Quantity {
  readonly number: string
  readonly unit: string
}

const DECIMAL = ['', 'k', 'M', 'G', 'T', 'P'] as const
const BINARY = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

/** Three significant figures are all that a reader takes in. */
const figures = (value: number): string =>
  value >= 100 || Number.isInteger(value) ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)

function scale(value: number, base: number, steps: number, like: number): { value: number; step: number } {
  let step = 0
  let rest = like
  // 999.6 would print as 1000, so switch to the next unit as soon as rounding would.
  while (step < steps - 1 && Math.abs(rest) >= base * 0.9995) {
    rest /= base
    step += 1
  }
  return { value: value / base ** step, step }
}

/** Rates are decimal, as in every transit contract: 1 Mbit/s is 10^6 bit/s. In the unit of `like`. */
export function bitRate(bitsPerSecond: number, like = bitsPerSecond): Quantity {
  const { value, step } = scale(bitsPerSecond, 1000, DECIMAL.length, like)
  return { number: figures(value), unit: `${DECIMAL[step]}bit/s` }
}

export function bytes(count: number, like = count): Quantity {
  const { value, step } = scale(count, 1024, BINARY.length, like)
  return { number: figures(value), unit: BINARY[step] ?? 'B' }
}

/** Memory as the API returns it, in MiB. */
export const mebibytes = (count: number, like = count): Quantity => bytes(count * 1_048_576, like * 1_048_576)
/** Disks as the API returns them, in GiB. */
export const gibibytes = (count: number): Quantity => bytes(count * 1_073_741_824)

/** A fraction from 0 to 1. Any positive value shows as more than zero. */
export function percent(fraction: number): Quantity {
  const value = fraction * 100
  return { number: value > 0 && value < 1 ? '<1' : value.toFixed(0), unit: '%' }
}

/** A number of things, with a comma at each thousand. Without Intl for the same reason as times. */
export const grouped = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',')
