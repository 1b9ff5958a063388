import type { ReactNode } from 'react'
import { buttonClass, type ButtonVariant, type ButtonSize } from './button-variants.ts'
import { Icon } from './Icon.tsx'

/** A link that saves a file. `label` names its content where the link text alone does not. */
export const DownloadLink = ({
  href,
  label,
  variant = 'plain',
  size = 'sm',
  className,
  children,
}: {
  href: string
  label?: string
  variant?: ButtonVariant
  size?: ButtonSize
  className?: string
  children: ReactNode
}) => (
  <a href={href} download aria-label={label} className={buttonClass(variant, size, className)}>
    <Icon name="download" size={size === 'md' ? 15 : 13} />
    {children}
  </a>
)
