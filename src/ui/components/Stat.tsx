import type { ReactNode } from 'react'

/** Shown beside a heading, or below it where there is no room. */
export const Stats = ({ children }: { children: ReactNode }) => <dl className="flex gap-6 sm:text-right">{children}</dl>

/** A number with its name above it. */
export const Stat = ({ label, amount }: { label: string; amount: string }) => (
  <div>
    <dt className="text-xs text-faint">{label}</dt>
    <dd className="num text-lg font-semibold">{amount}</dd>
  </div>
)
