/** Where somebody stands with the 95th percentile, in sentences. */
import type { Tone } from '../../portal/ui/StatusBadge.tsx'
import type { TransitStanding } from '../contract.ts'
import { money } from './billing-words.ts'

export interface ForecastWords {
  readonly tone: Tone
  readonly word: string
  readonly samples: string
  /** What the month comes to if the traffic goes on as it went. */
  readonly end: string
}

const MOMENT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

export function forecastWords(
  { above, left, free, forecast }: Omit<TransitStanding['pieces'][number], 'terms'>,
  currency: string,
  now: Date,
  discounted: boolean,
): ForecastWords {
  const overage = `${money(forecast.overage, currency)} of overage${discounted ? ', before discounts' : ''}`
  const cost = forecast.overage > 0 ? ` At this rate, the month ends with ${overage}.` : ''
  if (above > free) {
    return {
      tone: 'bad',
      word: 'Above the commit',
      samples: `All ${free} burst samples have been used.`,
      end: cost.trim(),
    }
  }
  const samples =
    left === free ? `No burst used (${left} of ${free} samples left).` : `${left} of ${free} burst samples left.`
  if (forecast.lastsUntil === null || new Date(forecast.lastsUntil) <= now) {
    return { tone: 'ok', word: 'Within the commit', samples, end: 'At this rate, they will last the month.' }
  }
  return {
    tone: 'warn',
    word: 'Overage likely',
    samples,
    end: `At this rate, they last until ${MOMENT.format(new Date(forecast.lastsUntil))} UTC.${cost}`,
  }
}
