import { Link } from '@tanstack/react-router'
import { useEffect, useRef, type ReactNode } from 'react'
import { Icon } from '../../ui/components/Icon.tsx'
import { AccountFrame } from './AccountFrame.tsx'

/** A mail is on its way. It takes the focus, since the form that had it is gone. */
export function MailSent({
  to,
  redirect,
  children,
}: {
  to: string
  /** Where somebody wanted to go, for those who sign in from here. */
  redirect?: string | undefined
  children: ReactNode
}) {
  const message = useRef<HTMLDivElement>(null)
  useEffect(() => message.current?.focus(), [])
  return (
    <AccountFrame
      title="Check your email"
      footer={
        <Link to="/login" search={redirect === undefined ? {} : { redirect }} className="link">
          Sign in
        </Link>
      }
    >
      <div ref={message} role="alert" tabIndex={-1} className="flex items-start gap-3 outline-none">
        <span className="grid size-9 shrink-0 place-items-center rounded-md bg-accent-soft text-accent">
          <Icon name="mail" size={18} />
        </span>
        <div className="min-w-0 text-base text-dim">
          <p>
            We sent an email to <strong className="font-semibold wrap-anywhere text-ink">{to}</strong>.
          </p>
          <p className="mt-1">{children}</p>
          <p className="mt-3 text-sm text-faint">
            No email after a few minutes? Check your spam folder, then try again.
          </p>
        </div>
      </div>
    </AccountFrame>
  )
}
