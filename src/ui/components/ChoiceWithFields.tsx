import { useState, type ReactNode } from 'react'
import { ChoiceCards, type ChoiceCardsProps } from './choices.tsx'
import { PreservedFields } from './PreservedFields.tsx'

/** A choice of which one wants more to be filled in. */
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
  return (
    <>
      <ChoiceCards {...choice} onChange={setChosen} />
      <PreservedFields shown={chosen === fieldsOf}>{children}</PreservedFields>
    </>
  )
}
