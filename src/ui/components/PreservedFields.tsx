import type { ReactNode } from 'react'

/**
 * Fields that only one of several choices wants. While another is made they are gone, are not asked for and not sent, but
 * keep what was typed: who only looks what else there is loses nothing.
 */
export const PreservedFields = ({ shown, children }: { shown: boolean; children: ReactNode }) => (
  <fieldset role="presentation" hidden={!shown} disabled={!shown} className="min-w-0">
    <div className="grid gap-4">{children}</div>
  </fieldset>
)
