import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { Callout } from './Callout.tsx'
import { FormStateContext } from './form-state.ts'

/** The errors of a submission, by field and for the whole form. */
export interface FormErrors {
  readonly fields: Readonly<Record<string, string>>
  readonly message: string | null
}

/** The submitted values by name. */
export interface FormValues {
  /** Trimmed; an absent field is the empty text. */
  text(name: string): string
  /** Not trimmed: a password may begin with a space. */
  raw(name: string): string
  all(name: string): string[]
  on(name: string): boolean
}

interface SubmitFailure {
  readonly status: number | null
  readonly problem: { readonly code: string | null; readonly errors: readonly unknown[] }
}

/** Codes that say no more than their status does. */
const GENERIC_CODES: readonly (string | null)[] = [null, 'payment_declined', 'forbidden']

/** Errors that a form shows itself: invalid fields, wrong credentials, conflicts, and 402 or 403 for a stated cause. */
const isAnsweredHere = ({ status, problem: { code, errors } }: SubmitFailure): boolean =>
  errors.length > 0 ||
  status === 401 ||
  status === 409 ||
  status === 429 ||
  ((status === 402 || status === 403) && !GENERIC_CODES.includes(code))
const notify = (failure: SubmitFailure): boolean => !isAnsweredHere(failure)

/** Pass it to the request that does the work. */
export interface Submission {
  /** Reports errors that are not about a field like any failed request. */
  readonly notify: (failure: SubmitFailure) => boolean
  /** Stays the same while the same values are sent again, so that a lost response cannot charge or create twice. */
  readonly idempotencyKey: string
}

export interface FormProps {
  readonly onSubmit: (values: FormValues, submission: Submission) => Promise<void>
  /** Turns what the submission threw into messages; null leaves it to the window's own handler. */
  readonly explain: (error: unknown) => FormErrors | null
  readonly children: ReactNode | ((state: { busy: boolean }) => ReactNode)
  readonly className?: string
  readonly label?: string
}

export function Form({ onSubmit, explain, children, className = 'grid gap-4', label }: FormProps) {
  const [busy, setBusy] = useState(false)
  const [formErrors, setFormErrors] = useState<FormErrors>({ fields: {}, message: null })
  const form = useRef<HTMLFormElement>(null)
  const sent = useRef({ values: '', key: '' })
  const [refused, setRefused] = useState<FormErrors>()

  // After React has drawn the errors: the first invalid field takes the focus, and its error describes it.
  useEffect(() => {
    if (!refused) return
    const first =
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]') ??
      form.current?.querySelector<HTMLElement>('[role="alert"]')
    first?.focus()
  }, [refused])
  const refuse = (next: FormErrors) => {
    setFormErrors(next)
    setRefused(next)
  }

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy) return
    const element = event.currentTarget
    const missing = browserErrors(element)
    if (Object.keys(missing).length > 0) return refuse({ fields: missing, message: null })
    const data = new FormData(element)
    setFormErrors({ fields: {}, message: null })
    setBusy(true)
    try {
      await onSubmit(readValues(data), { notify, idempotencyKey: keyFor(data, sent.current) })
    } catch (error) {
      const explained = explain(error)
      if (!explained) throw error
      refuse(nameStrays(explained, element))
    } finally {
      setBusy(false)
    }
  }

  const clear = (field: string) => {
    if (formErrors.fields[field] === undefined) return
    const { [field]: _, ...fields } = formErrors.fields
    setFormErrors({ ...formErrors, fields })
  }
  return (
    <form ref={form} noValidate aria-label={label} className={className} onSubmit={(event) => void submit(event)}>
      {formErrors.message && (
        <Callout tone="bad" alert>
          {formErrors.message}
        </Callout>
      )}
      <FormStateContext value={{ errors: formErrors.fields, busy, clear }}>
        {typeof children === 'function' ? children({ busy }) : children}
      </FormStateContext>
    </form>
  )
}

/** Returns the browser's own validation messages, in the user's language. */
function browserErrors(form: HTMLFormElement): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const control of form.elements) {
    if (
      (control instanceof HTMLInputElement ||
        control instanceof HTMLTextAreaElement ||
        control instanceof HTMLSelectElement) &&
      control.name &&
      // Skips disabled fields: their values are not sent.
      control.willValidate
    ) {
      const { validity, validationMessage } = asRead(control)
      if (!validity.valid)
        errors[control.name] ??= (validity.patternMismatch && control.dataset['takes']) || validationMessage
    }
  }
  return errors
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Texts are trimmed when read, so they are validated trimmed: a pasted value passes, and blanks alone do not. */
function asRead(control: Control): Control {
  const isText = control instanceof HTMLTextAreaElement || TEXT_INPUTS.has(control.type)
  if (!isText || control.value === control.value.trim()) return control
  const read = control.cloneNode() as Control
  read.value = control.value.trim()
  return read
}

const TEXT_INPUTS = new Set(['text', 'search', 'tel'])

/** An error of a field that the form does not show must not vanish: it joins the form's own message. */
function nameStrays(formErrors: FormErrors, form: HTMLFormElement): FormErrors {
  const strays = Object.entries(formErrors.fields).filter(([name]) => form.elements.namedItem(name) === null)
  if (strays.length === 0) return formErrors
  const fields = Object.fromEntries(
    Object.entries(formErrors.fields).filter(([name]) => form.elements.namedItem(name) !== null),
  )
  const message = [formErrors.message, ...strays.map(([name, text]) => `${name}: ${text}`)].filter(Boolean).join(' ')
  return { fields, message }
}

function readValues(data: FormData): FormValues {
  const raw = (name: string): string => {
    const value = data.get(name)
    return typeof value === 'string' ? value : ''
  }
  return {
    raw,
    text: (name) => raw(name).trim(),
    all: (name) => data.getAll(name).filter((value) => typeof value === 'string'),
    on: (name) => data.has(name),
  }
}

function keyFor(data: FormData, sent: { values: string; key: string }): string {
  const values = JSON.stringify(
    [...data].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]),
  )
  if (sent.values !== values) Object.assign(sent, { values, key: crypto.randomUUID() })
  return sent.key
}
