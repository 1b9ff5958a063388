import type { Submission } from '../../ui/components/Form.tsx'

export interface CardFormProps {
  /** Saves the card with the provider's token. */
  readonly onToken: (token: string, submission: Submission) => Promise<void>
  readonly onCancel: () => void
}
