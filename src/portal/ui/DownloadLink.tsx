import type { ReactNode } from 'react'
import { buttonLook, type ButtonLook, type ButtonSize } from './button-look.ts'
import { Icon } from './Icon.tsx'

/** A file to keep. `label` says of what, where its words alone would not. */
export const DownloadLink = ({
  href,
  label,
  look = 'plain',
  size = 'sm',
  className,
  children,
}: {
  href: string
  label?: string
  look?: ButtonLook
  size?: ButtonSize
  className?: string
  children: ReactNode
}) => (
  <a href={href} download aria-label={label} className={buttonLook(look, size, className)}>
    <Icon name="download" size={size === 'md' ? 15 : 13} />
    {children}
  </a>
)
