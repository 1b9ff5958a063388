import { explainFailure } from '../../../portal/explain-failure.ts'
import type { FormTrouble } from '../../../portal/ui/Form.tsx'
import { PasskeyTrouble } from './webauthn.ts'

/** The same as of any call, and what a device said. */
export const explainProof = (error: unknown): FormTrouble | null =>
  error instanceof PasskeyTrouble ? { fields: {}, message: error.message } : explainFailure(error)
