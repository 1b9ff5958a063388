import { createContext, useContext } from 'react'

/** What a form tells the fields inside it. */
export interface FormState {
  readonly errors: Readonly<Record<string, string>>
  readonly busy: boolean
  /** Takes back a field's error once it is edited. */
  readonly clear: (field: string) => void
}

export const FormStateContext = createContext<FormState>({ errors: {}, busy: false, clear: () => undefined })
export const useFormState = (): FormState => useContext(FormStateContext)
