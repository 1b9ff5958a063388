import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

export type CalloutTone = 'info' | 'ok' | 'warn' | 'bad'

const TONES: Record<CalloutTone, { variant: string; mark: string; icon: IconName }> = {
  info: { variant: 'border-line-strong bg-sunken', mark: 'text-accent', icon: 'info' },
  ok: { variant: 'border-ok/35 bg-ok-soft', mark: 'text-ok', icon: 'check' },
  warn: { variant: 'border-warn/40 bg-warn-soft', mark: 'text-warn', icon: 'warning' },
  bad: { variant: 'border-bad/40 bg-bad-soft', mark: 'text-bad', icon: 'warning' },
}

/** A short text about everything below it. `alert` makes screen readers announce it. */
export function Callout({
  tone = 'info',
  title,
  children,
  action,
  alert,
}: {
  tone?: CalloutTone
  title?: ReactNode
  children?: ReactNode
  action?: ReactNode
  alert?: boolean
}) {
  const { variant, mark, icon } = TONES[tone]
  return (
    <div
      role={alert ? 'alert' : undefined}
      tabIndex={alert ? -1 : undefined}
      className={`flex items-start gap-2.5 rounded-md border px-3 py-2.5 text-sm outline-none ${variant}`}
    >
      <Icon name={icon} className={`mt-0.5 ${mark}`} />
      {/* On a phone the text needs the whole width: its actions follow below. */}
      <div className="flex min-w-0 flex-1 flex-wrap items-start gap-x-2.5 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          {title && <p className="font-semibold">{title}</p>}
          {children && <div className="text-ink">{children}</div>}
        </div>
        {action}
      </div>
    </div>
  )
}
