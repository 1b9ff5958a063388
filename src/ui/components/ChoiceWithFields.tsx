import { useState, type ReactNode } from 'react'
import { ChoiceCards, type ChoiceCardsProps } from './choices.tsx'
import { PreservedFields } from './PreservedFields.tsx'

/** A choice in which one option needs further fields. */
export function ChoiceWithFields({
  fieldsOf,
  children,
  ...choice
}: Omit<ChoiceCardsProps, 'onChange' | 'defaultValue'> & {
  readonly defaultValue: string
  /** The option that needs them. */
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
