import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

/**
 * Shown while a list is empty: what it would hold, what that costs, and how to get the first one. It stays small where
 * there is nothing to do.
 */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  icon?: IconName
  title: string
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div
      className={`flex flex-col items-center rounded-md border border-dashed border-line-strong px-6 text-center ${action ? 'py-10' : 'py-5'}`}
    >
      {icon && action && (
        <span className="mb-3 grid size-10 place-items-center rounded-md bg-sunken text-dim">
          <Icon name={icon} size={20} />
        </span>
      )}
      <p className={action ? 'text-lg font-semibold' : 'text-base font-medium'}>{title}</p>
      {children && <div className="mt-1 max-w-[60ch] text-base text-dim text-pretty">{children}</div>}
      {action && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}

/** A part of a page that could not be loaded, while the rest is shown. */
export function ErrorState({
  title = 'This could not be loaded',
  children,
  retry,
}: {
  title?: string
  children?: ReactNode
  retry?: ReactNode
}) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-3 rounded-md border border-bad/40 bg-bad-soft px-3 py-2.5 text-sm"
    >
      <Icon name="warning" className="text-bad" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{title}</p>
        {children && <div className="text-dim">{children}</div>}
      </div>
      {retry}
    </div>
  )
}
