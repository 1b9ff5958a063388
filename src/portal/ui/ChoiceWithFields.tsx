import { useState, type ReactNode } from 'react'
import { ChoiceCards, type ChoiceCardsProps } from './choices.tsx'

/**
 * A choice of which one wants more to be filled in. While another is chosen its fields are gone, are not asked for and not
 * sent, but keep what was typed: who only looks what else there is loses nothing.
 */
export function ChoiceWithFields({
  fieldsOf,
  children,
  ...choice
}: Omit<ChoiceCardsProps, 'onChange' | 'defaultValue'> & {
  readonly defaultValue: string
  /** The choice that wants them. */
  readonly fieldsOf: string
  readonly children: ReactNode
}) {
  const [chosen, setChosen] = useState(choice.defaultValue)
  const away = chosen !== fieldsOf
  return (
    <>
      <ChoiceCards {...choice} onChange={setChosen} />
      <fieldset hidden={away} disabled={away} className="min-w-0">
        <div className="grid gap-4">{children}</div>
      </fieldset>
    </>
  )
}
