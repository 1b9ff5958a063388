/** Describes the usage against the 95th percentile. */
import type { Tone } from '../../ui/components/StatusBadge.tsx'
import type { TransitUsageToDate } from '../contract.ts'
import { money } from './billing-labels.ts'

export interface ForecastLabels {
  readonly tone: Tone
  readonly label: string
  readonly samples: string
  /** The cost of the month if the traffic continues at the same rate. */
  readonly end: string
}

const MOMENT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

export function forecastLabels(
  { above, left, free, forecast }: Omit<TransitUsageToDate['segments'][number], 'terms'>,
  currency: string,
  now: Date,
  discounted: boolean,
): ForecastLabels {
  const overage = `${money(forecast.overage, currency)} of overage${discounted ? ', before discounts' : ''}`
  const cost = forecast.overage > 0 ? ` At this rate, the month ends with ${overage}.` : ''
  if (above > free) {
    return {
      tone: 'bad',
      label: 'Above the commit',
      samples: `All ${free} burst samples have been used.`,
      end: cost.trim(),
    }
  }
  const samples =
    left === free ? `No burst used (${left} of ${free} samples left).` : `${left} of ${free} burst samples left.`
  if (forecast.lastsUntil === null || new Date(forecast.lastsUntil) <= now) {
    return { tone: 'ok', label: 'Within the commit', samples, end: 'At this rate, they will last the month.' }
  }
  return {
    tone: 'warn',
    label: 'Overage likely',
    samples,
    end: `At this rate, they last until ${MOMENT.format(new Date(forecast.lastsUntil))} UTC.${cost}`,
  }
}
