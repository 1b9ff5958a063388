/* The element `meter` cannot be drawn alike in every browser. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { percent } from './quantity.ts'

/** How much of something is used, from 0 to 1. From 85 % it warns, from 95 % it alarms; the number says so without colour. */
export function UsageBar({
  used,
  label,
  detail,
  calm = false,
}: {
  used: number
  label: string
  detail?: string
  /** A share of a whole and no load: much of it is no trouble. */
  calm?: boolean
}) {
  const share = Math.min(1, Math.max(0, used))
  const color = calm ? 'bg-accent-fill' : share >= 0.95 ? 'bg-bad' : share >= 0.85 ? 'bg-warn' : 'bg-accent-fill'
  const { number } = percent(share)
  return (
    <div className="flex min-w-24 items-center gap-2">
      <div
        role="meter"
        aria-label={label}
        aria-valuenow={Math.round(share * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={detail ?? `${number} %`}
        className="h-1.5 flex-1 overflow-hidden rounded-full bg-line"
      >
        <div className={`h-full rounded-full ${color}`} style={{ width: `${share * 100}%` }} />
      </div>
      <span className="num w-10 text-right text-sm">
        {number} <span className="text-faint">%</span>
      </span>
      {detail && <span className="num text-xs text-faint">{detail}</span>}
    </div>
  )
}
