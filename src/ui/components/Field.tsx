import { useId, type ComponentProps, type ReactNode } from 'react'
import { cx } from './class-names.ts'
import { useFormState } from './form-state.ts'
import { Icon } from './Icon.tsx'

export interface FieldProps {
  readonly label: string
  /** The property that the server knows it by: errors find the field under this name. */
  readonly name: string
  readonly hint?: ReactNode
  /** An error that does not come from a form. */
  readonly error?: string | undefined
  readonly optional?: boolean
}

/** The props of a control that tie it to its label, hint and error. */
export interface Wiring {
  readonly id: string
  readonly name: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
  readonly onInput: () => void
}

export const CONTROL =
  'w-full min-w-0 rounded-md border border-edge bg-surface px-2.5 text-base text-ink placeholder:text-faint h-9 pointer-coarse:h-11 ' +
  'aria-invalid:border-bad focus-visible:outline-offset-0 focus-visible:border-accent disabled:bg-sunken disabled:text-dim'

/** Label above, hint and error below: one layout for every kind of control. */
export function Field({
  label,
  name,
  hint,
  error,
  optional,
  children,
}: FieldProps & { children: (wiring: Wiring) => ReactNode }) {
  const id = useId()
  const { errors, clear } = useFormState()
  const shown = error ?? errors[name]
  const described = [hint ? `${id}-hint` : null, shown ? `${id}-error` : null].filter(Boolean).join(' ')
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
        {optional && <span className="font-normal text-faint"> (optional)</span>}
      </label>
      {children({
        id,
        name,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': shown ? true : undefined,
        onInput: () => clear(name),
      })}
      {shown && (
        <p id={`${id}-error`} className="flex items-start gap-1.5 text-sm text-bad wrap-anywhere">
          <Icon name="warning" size={14} className="mt-[3px]" />
          {shown}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-faint wrap-anywhere">
          {hint}
        </p>
      )}
    </div>
  )
}

/** The pattern of a text, and its description: a browser says only that the text does not match. */
export interface Pattern {
  readonly source: string
  /** For example `Takes an amount such as 12.50.`. */
  readonly takes: string
}

export interface TextFieldProps
  extends FieldProps, Omit<ComponentProps<'input'>, 'name' | 'id' | 'onInput' | 'pattern'> {
  readonly pattern?: Pattern | undefined
  /** For prefixes, ASNs and keys, where every character counts. */
  readonly mono?: boolean
  /** Shown at the field's end, such as a button that reveals a password. */
  readonly trailing?: ReactNode
}

export function TextField({
  label,
  name,
  hint,
  error,
  optional,
  mono,
  trailing,
  className,
  pattern,
  ...input
}: TextFieldProps) {
  return (
    <Field {...{ label, name, hint, error }} {...(optional ? { optional } : {})}>
      {(wiring) => (
        <div className="relative flex">
          <input
            {...input}
            {...(pattern && { pattern: pattern.source, 'data-takes': pattern.takes })}
            {...wiring}
            className={cx(CONTROL, mono && 'font-mono', trailing ? 'pr-16' : null, className)}
          />
          {trailing && <div className="absolute inset-y-0 right-1 flex items-center">{trailing}</div>}
        </div>
      )}
    </Field>
  )
}

export function TextAreaField({
  label,
  name,
  hint,
  error,
  optional,
  mono,
  className,
  ...input
}: FieldProps & Omit<ComponentProps<'textarea'>, 'name' | 'id' | 'onInput'> & { readonly mono?: boolean }) {
  return (
    <Field {...{ label, name, hint, error }} {...(optional ? { optional } : {})}>
      {(wiring) => (
        <textarea
          rows={4}
          {...input}
          {...wiring}
          className={cx(CONTROL, 'h-auto py-2', mono && 'font-mono text-sm', className)}
        />
      )}
    </Field>
  )
}

export interface Choice {
  readonly value: string
  readonly label: string
  readonly disabled?: boolean
}

/** The browser's own select: it works best on a phone and with assistive technology. */
export function SelectField({
  label,
  name,
  hint,
  error,
  optional,
  choices,
  className,
  ...select
}: FieldProps &
  Omit<ComponentProps<'select'>, 'name' | 'id' | 'onInput' | 'children'> & { readonly choices: readonly Choice[] }) {
  return (
    <Field {...{ label, name, hint, error }} {...(optional ? { optional } : {})}>
      {(wiring) => (
        <div className="relative">
          <select {...select} {...wiring} className={cx(CONTROL, 'appearance-none pr-8', className)}>
            {choices.map((choice) => (
              <option key={choice.value} value={choice.value} disabled={choice.disabled}>
                {choice.label}
              </option>
            ))}
          </select>
          <Icon
            name="chevron"
            size={14}
            className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-dim"
          />
        </div>
      )}
    </Field>
  )
}
