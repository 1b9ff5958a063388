import { failureText } from './error-catalogue.ts'
import { HttpFailure } from './http-failure.ts'
import type { FormErrors } from '../components/Form.tsx'

/**
 * Returns what a form says about a failed request. Null for what is not a response of the API: that is a fault of ours.
 */
export function explainFailure(error: unknown): FormErrors | null {
  if (!(error instanceof HttpFailure)) return null
  const fields: Record<string, string> = {}
  // A field may break several rules; its first message is the one to fix first.
  for (const { field, message } of error.problem.errors) fields[field] ??= sentence(message)
  if (Object.keys(fields).length > 0) return { fields, message: null }
  const words = error.problem.detail ?? failureText(error.status).body
  const wait = error.status === 429 && error.retryAfter ? ` Try again in ${waitText(error.retryAfter)}.` : ''
  return { fields, message: `${words}${wait}` }
}

/**
 * The API's field messages follow the field's name (`takes at least 8 characters`); under a field they are sentences.
 */
const sentence = (message: string): string => {
  const text = capitalize(message)
  return /[.!?]$/.test(text) ? text : `${text}.`
}

const waitText = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} minutes`

/** Capitalizes the text unless it begins with a literal: `fe80::/10` is not `Fe80::/10`. */
export const capitalize = (text: string): string =>
  text.replace(/^[a-z](?=[a-z]*(-[a-z]+)?[,;:.]?(\s|$))/, (char) => char.toUpperCase())
