import type { ReactNode } from 'react'

/**
 * Fields that only one of several choices needs. Under another choice they are hidden, not validated and not sent, but
 * keep their text: a user who looks at the other choices loses nothing.
 */
export const PreservedFields = ({ shown, children }: { shown: boolean; children: ReactNode }) => (
  <fieldset role="presentation" hidden={!shown} disabled={!shown} className="min-w-0">
    <div className="grid gap-4">{children}</div>
  </fieldset>
)
