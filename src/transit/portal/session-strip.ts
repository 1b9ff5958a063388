/** Splits a span of time into equal slots and computes how long a session was up, down or disabled in each. */
import { duration } from '../../ui/components/relative-time.ts'
import type { SessionOutages } from '../contract.ts'

export interface StripSpan {
  readonly id: 'day' | 'month'
  readonly label: string
  readonly ms: number
  readonly slots: number
}

const HOUR_MS = 3_600_000
/** Slots of half an hour and of a day: as many as a phone can show side by side. */
export const STRIP_SPANS: readonly StripSpan[] = [
  { id: 'day', label: '24 hours', ms: 24 * HOUR_MS, slots: 48 },
  { id: 'month', label: '30 days', ms: 30 * 24 * HOUR_MS, slots: 30 },
]

/** Milliseconds in each state. The rest of the time is unknown. */
interface Share {
  readonly from: number
  readonly to: number
  readonly up: number
  readonly down: number
  readonly disabled: number
  /** Outages that began or continued in this time. */
  readonly outages: number
}

export interface Strip extends Share {
  readonly slots: readonly Share[]
}

export function stripOf(session: SessionOutages, span: StripSpan, now: number): Strip {
  const from = now - span.ms
  const step = span.ms / span.slots
  return {
    ...shareOf(session, from, now),
    slots: Array.from({ length: span.slots }, (_, slot) =>
      shareOf(session, from + slot * step, from + (slot + 1) * step),
    ),
  }
}

function shareOf({ knownSince, outages }: SessionOutages, from: number, to: number): Share {
  const known = Math.max(0, to - Math.max(from, Date.parse(knownSince)))
  const within = outages.map((outage) => {
    const began = Date.parse(outage.from)
    const ended = outage.to === null ? Infinity : Date.parse(outage.to)
    // An outage that was over before the edge was queried again has no length but still counts.
    const ms = Math.max(0, Math.min(to, ended) - Math.max(from, began))
    return { ms, counts: !outage.intended && began < to && (ms > 0 || began >= from), intended: outage.intended }
  })
  const sum = (intended: boolean) => within.reduce((ms, one) => (one.intended === intended ? ms + one.ms : ms), 0)
  const [down, disabled] = [sum(false), sum(true)]
  const outageCount = within.filter(({ counts }) => counts).length
  return { from, to, up: Math.max(0, known - down - disabled), down, disabled, outages: outageCount }
}

/**
 * The share of the time in which the session was enabled and its state is known; null without any. Rounded down, so 100
 * % means never down.
 */
export function uptime({ up, down, outages }: Share): string | null {
  if (up + down === 0) return null
  if (outages === 0) return '100 %'
  return `${(Math.min(9_999, Math.floor((up / (up + down)) * 10_000)) / 100).toFixed(2)} %`
}

/** `99.22 % up, 1 outage, 11 min down, 2 h disabled` */
export function stripWords(share: Share): string {
  const up = uptime(share)
  const { down, disabled, outages } = share
  return [
    up === null ? (disabled > 0 ? '' : 'not known') : `${up} up`,
    outages > 0 && `${outages} ${outages === 1 ? 'outage' : 'outages'}`,
    down > 0 && `${duration(down)} down`,
    disabled > 0 && `${duration(disabled)} disabled`,
  ]
    .filter(Boolean)
    .join(', ')
}
