import { explainFailure } from '../../../ui/runtime/explain-failure.ts'
import type { FormErrors } from '../../../ui/components/Form.tsx'
import { PasskeyError } from './webauthn.ts'

/** The same as of any call, and what a device said. */
export const explainPasskeyError = (error: unknown): FormErrors | null =>
  error instanceof PasskeyError ? { fields: {}, message: error.message } : explainFailure(error)
