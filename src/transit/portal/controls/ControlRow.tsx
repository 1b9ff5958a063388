import type { ReactNode } from 'react'

/** A description of the current state, and the actions for it. */
export const ControlRow = ({ words, children }: { words: ReactNode; children: ReactNode }) => (
  <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
    <span className="min-w-0 text-sm text-dim wrap-anywhere">{words}</span>
    <span className="flex flex-wrap gap-2">{children}</span>
  </span>
)
