import type { Submission } from '../../ui/components/Form.tsx'

export interface CardFormProps {
  /** Saves the card by the token that its provider gave for it. */
  readonly onToken: (token: string, submission: Submission) => Promise<void>
  readonly onCancel: () => void
}
