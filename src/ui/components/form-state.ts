import { createContext, useContext } from 'react'

/** State that a form shares with its fields. */
export interface FormState {
  readonly errors: Readonly<Record<string, string>>
  readonly busy: boolean
  /** Clears a field's error once it is edited. */
  readonly clear: (field: string) => void
}

export const FormStateContext = createContext<FormState>({ errors: {}, busy: false, clear: () => undefined })
export const useFormState = (): FormState => useContext(FormStateContext)
