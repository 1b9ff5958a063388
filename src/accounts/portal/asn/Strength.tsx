import type { Proof } from './proof-labels.ts'

const LEVELS = { low: 1, medium: 2, high: 3 } as const

/** Shows the strength of a proof as three bars and a word, and how long the proof is valid. */
export function Strength({ of, days }: { of: Proof['strength']; days: number }) {
  const level = LEVELS[of]
  return (
    <span className="inline-flex items-center gap-2 text-xs text-dim">
      <svg viewBox="0 0 14 10" width="14" height="10" aria-hidden className="shrink-0">
        {[1, 2, 3].map((bar) => (
          <rect
            key={bar}
            x={(bar - 1) * 5}
            y={8 - bar * 2.4}
            width="3.5"
            height={2 + bar * 2.4}
            rx="0.75"
            className={bar <= level ? 'fill-accent' : 'fill-line-strong'}
          />
        ))}
      </svg>
      {of} strength, valid for {days >= 365 ? 'a year' : `${Math.round(days / 30)} months`}
    </span>
  )
}
