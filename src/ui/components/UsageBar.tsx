/* Browsers draw the element `meter` differently. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { percent } from './quantity.ts'

/**
 * The used share of something, from 0 to 1. It warns from 85 % and alarms from 95 %; the number conveys this without
 * color.
 */
export function UsageBar({
  used,
  label,
  detail,
  calm = false,
}: {
  used: number
  label: string
  detail?: string
  /** A share of a whole rather than a load: a large value is no problem. */
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
