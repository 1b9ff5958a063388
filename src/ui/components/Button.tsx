import type { ComponentProps, MouseEvent } from 'react'
import { buttonClass, type ButtonVariant, type ButtonSize } from './button-variants.ts'
import { useReadOnlyReason } from './change-denial.ts'
import { Icon, type IconName } from './Icon.tsx'
import { Spinner } from './Spinner.tsx'
import { useTip } from './tip.tsx'

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled' | 'aria-disabled' | 'style'> {
  readonly variant?: ButtonVariant
  readonly size?: ButtonSize
  readonly icon?: IconName
  /** Its work is in progress; another press does nothing. */
  readonly busy?: boolean
  /** Why it is disabled, as a sentence. It stays focusable, so that everyone can find out. */
  readonly disabledReason?: string | null | undefined
  /**
   * Whether a press changes data, and not only what is shown. By default it does if it submits a form, can be busy, or
   * can be disabled for a reason.
   */
  readonly changes?: boolean
}

type BlockableProps = { readonly [K in 'type' | 'busy' | 'disabledReason' | 'changes']: ButtonProps[K] | undefined }

/** Read-only mode comes before every other reason. */
function useBlockedReason({ type, busy, disabledReason, changes }: BlockableProps): string | null | undefined {
  const nothingChanges = useReadOnlyReason()
  const does = changes ?? (type === 'submit' || busy !== undefined || disabledReason !== undefined)
  return (does && nothingChanges) || disabledReason
}

export function Button({
  variant,
  size,
  icon,
  busy,
  disabledReason,
  changes,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const blockedReason = useBlockedReason({ type: rest.type, busy, disabledReason, changes })
  const tip = useTip(blockedReason)
  const off = busy || Boolean(blockedReason)
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (off) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <>
      <button
        type="button"
        {...rest}
        {...tip.trigger}
        aria-disabled={off || undefined}
        aria-busy={busy || undefined}
        className={buttonClass(variant, size, className)}
        onClick={press}
      >
        {busy ? <Spinner /> : icon && <Icon name={icon} size={15} />}
        {children}
      </button>
      {tip.popup}
    </>
  )
}

export interface IconButtonProps extends Omit<ButtonProps, 'icon' | 'children' | 'aria-label'> {
  readonly icon: IconName
  /** Its action: the accessible name and the tip. */
  readonly label: string
}

/** A button with only an icon, for actions that repeat on every row. */
export function IconButton({
  icon,
  label,
  variant = 'quiet',
  busy,
  disabledReason,
  changes,
  onClick,
  className,
  ...rest
}: IconButtonProps) {
  const blockedReason = useBlockedReason({ type: rest.type, busy, disabledReason, changes })
  const tip = useTip(blockedReason ?? label)
  const off = busy || Boolean(blockedReason)
  const { 'aria-describedby': describedBy, ...trigger } = tip.trigger
  return (
    <>
      <button
        type="button"
        {...rest}
        {...trigger}
        aria-label={label}
        aria-describedby={blockedReason ? describedBy : undefined}
        aria-disabled={off || undefined}
        className={buttonClass(variant, 'sm', `w-7 px-0 pointer-coarse:min-w-10 ${className ?? ''}`)}
        onClick={(event) => (off ? event.preventDefault() : onClick?.(event))}
      >
        {busy ? <Spinner /> : <Icon name={icon} />}
      </button>
      {tip.popup}
    </>
  )
}
