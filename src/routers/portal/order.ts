/** An order as the form holds it, and the API's errors about it. */
import { explainFailure } from '../../ui/runtime/explain-failure.ts'
import { HttpFailure } from '../../ui/runtime/http-failure.ts'
import { paymentRequiredText } from '../../ui/runtime/payment-demand.ts'
import type { FormErrors, FormValues } from '../../ui/components/Form.tsx'

/** The selected saved keys. */
export const SAVED_KEYS = 'savedKeys'

export function readOrder(values: FormValues, hasSavedKeys: boolean) {
  // Typed keys come first: an error names a key by its index, and saved keys are valid.
  const sshKeys = [...keyLines(values.text('sshKeys')), ...values.all(SAVED_KEYS)]
  return {
    name: values.text('name'),
    site: values.text('site'),
    plan: values.text('plan'),
    image: values.text('image'),
    // Left out, the account's keys are used; an empty list lets nobody in.
    ...(sshKeys.length > 0 || hasSavedKeys ? { sshKeys } : {}),
  }
}

/** Returns a name that is not among these. */
export function proposeName(taken: readonly string[]): string {
  const used = new Set(taken)
  for (let number = 1; ; number += 1) if (!used.has(`edge-${number}`)) return `edge-${number}`
}

/** One key per line, as in `authorized_keys`: empty lines and comments are ignored. */
export const keyLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))

/** The API names each key by its index (`sshKeys.1`); the form has one field for all of them. */
export function explainOrder(error: unknown): FormErrors | null {
  const failureText = explainFailure(error)
  if (!failureText) return null
  const fields: Record<string, string> = {}
  for (const [field, message] of Object.entries(failureText.fields)) {
    const place = /^sshKeys\.(\d+)$/.exec(field)?.[1]
    if (place === undefined) fields[field] = message
    else fields['sshKeys'] ??= `Key ${Number(place) + 1} ${message.charAt(0).toLowerCase()}${message.slice(1)}`
  }
  return { ...failureText, fields }
}

/** Returns the message for an account that cannot be charged; null for any other failure. */
export function orderDemand(error: unknown): string | null {
  const paymentIssue = error instanceof HttpFailure ? paymentRequiredText(error) : null
  return paymentIssue && (paymentIssue.detail ?? paymentIssue.body ?? null)
}
