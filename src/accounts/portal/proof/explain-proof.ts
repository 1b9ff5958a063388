import { explainFailure } from '../../../ui/runtime/explain-failure.ts'
import type { FormErrors } from '../../../ui/components/Form.tsx'
import { PasskeyError } from './webauthn.ts'

/** Explains API errors as usual, and also errors from the user's device. */
export const explainPasskeyError = (error: unknown): FormErrors | null =>
  error instanceof PasskeyError ? { fields: {}, message: error.message } : explainFailure(error)
