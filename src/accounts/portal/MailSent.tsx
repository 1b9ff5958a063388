import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button } from '../../ui/components/Button.tsx'
import { Icon } from '../../ui/components/Icon.tsx'
import { AccountFrame } from './AccountFrame.tsx'

const PAUSE_MS = 30_000

/** Says that an email was sent. It takes the focus, since the form that had it is gone. */
export function MailSent({
  to,
  lead = 'We sent an email to',
  onAgain,
  onChange,
  redirect,
  children,
}: {
  to: string
  /** Precedes the address. */
  lead?: string
  readonly onAgain: () => Promise<void>
  /** Returns to the form with its values. */
  readonly onChange: () => void
  /** The page to return to, for users who sign in from here. */
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
        <div className="min-w-0 flex-1 text-base text-dim">
          <p>
            {lead} <strong className="font-semibold wrap-anywhere text-ink">{to}</strong>.
          </p>
          <p className="mt-1">{children}</p>
          <p className="mt-3 text-sm text-faint">No email after a few minutes? Check your spam folder.</p>
        </div>
      </div>
      <div className="mt-5 flex flex-wrap gap-2 pl-12">
        <SendAgain onAgain={onAgain} />
        <Button variant="quiet" onClick={onChange}>
          Change address
        </Button>
      </div>
    </AccountFrame>
  )
}

function SendAgain({ onAgain }: { onAgain: () => Promise<void> }) {
  const [next, setNext] = useState(() => Date.now() + PAUSE_MS)
  const [now, setNow] = useState(() => Date.now())
  const [progress, setProgress] = useState<'ready' | 'sending' | 'sent'>('ready')
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const left = Math.max(0, Math.ceil((next - now) / 1_000))
  const send = () => {
    setProgress('sending')
    onAgain()
      .then(
        () => setProgress('sent'),
        // The API client has shown the error.
        () => setProgress('ready'),
      )
      .finally(() => setNext(Date.now() + PAUSE_MS))
  }
  return (
    <>
      <Button
        busy={progress === 'sending'}
        disabledReason={left > 0 ? 'Give it 30 seconds: most emails arrive by then.' : null}
        onClick={send}
      >
        Send again
        {left > 0 && (
          <span aria-hidden className="num font-normal text-faint">
            {left} s
          </span>
        )}
      </Button>
      <output className="order-last basis-full text-sm text-dim empty:hidden">
        {progress === 'sent' && 'Sent again.'}
      </output>
    </>
  )
}
