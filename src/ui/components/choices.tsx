import { useId, type ComponentProps, type ReactNode } from 'react'
import { useFormState } from './form-state.ts'

export function Checkbox({
  label,
  hint,
  ...input
}: { label: ReactNode; hint?: ReactNode } & Omit<ComponentProps<'input'>, 'type' | 'id'>) {
  const id = useId()
  return (
    <div className="flex items-start gap-2.5">
      <input
        id={id}
        type="checkbox"
        {...input}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="mt-[3px] size-4 shrink-0"
      />
      <div className="min-w-0 wrap-anywhere">
        <label htmlFor={id} className="text-base">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-xs text-faint">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}

export interface Option {
  readonly value: string
  readonly label: string
  /** A second line in the dimmer color. */
  readonly detail?: ReactNode
  /** Shown at the right, such as a price. */
  readonly aside?: ReactNode
  /** Why it cannot be chosen. */
  readonly disabledReason?: string | null
}

/** What {@link ChoiceCards} takes. */
export interface ChoiceCardsProps {
  readonly legend: string
  readonly name: string
  readonly options: readonly Option[]
  readonly defaultValue?: string
  readonly onChange?: (value: string) => void
  readonly columns?: 1 | 2 | 3
}

/**
 * One of a few options that deserve comparison: plans, images, sites. Radio buttons underneath, so the arrow keys work.
 */
export function ChoiceCards({ legend, name, options, defaultValue, onChange, columns = 1 }: ChoiceCardsProps) {
  const { errors, clear } = useFormState()
  const error = errors[name]
  const grid = { 1: '', 2: 'sm:grid-cols-2', 3: 'sm:grid-cols-2 lg:grid-cols-3' }[columns]
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      <div className={`grid grid-cols-1 gap-2 ${grid}`}>
        {options.map((option) => (
          <label
            key={option.value}
            className="flex min-h-9 items-start gap-2.5 rounded-md border border-line-strong bg-surface px-3 py-2 hover:border-edge has-checked:border-accent has-checked:bg-accent-soft has-disabled:cursor-not-allowed has-disabled:bg-sunken has-disabled:text-faint has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              required
              defaultChecked={option.value === defaultValue}
              disabled={Boolean(option.disabledReason)}
              onChange={() => {
                clear(name)
                onChange?.(option.value)
              }}
              className="mt-1 size-3.5 shrink-0 outline-none"
            />
            <span className="min-w-0 flex-1">
              <span className="font-medium wrap-anywhere">{option.label}</span>
              {(option.disabledReason ?? option.detail) && (
                <span className="block text-xs text-dim">{option.disabledReason ?? option.detail}</span>
              )}
            </span>
            {option.aside && <span className="num text-sm whitespace-nowrap text-dim">{option.aside}</span>}
          </label>
        ))}
      </div>
      {error && <p className="mt-1.5 text-sm text-bad">{error}</p>}
    </fieldset>
  )
}
