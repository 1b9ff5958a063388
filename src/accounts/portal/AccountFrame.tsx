import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Wordmark } from '../../ui/shell/Wordmark.tsx'
import { Button } from '../../ui/components/Button.tsx'

const SupportDialog = lazy(() => import('../../ui/shell/SupportDialog.tsx'))

/** The frame of the pages shown before sign-in: one column, one task. */
export function AccountFrame({
  title,
  summary,
  children,
  footer,
}: {
  title: string
  summary?: ReactNode
  children?: ReactNode
  /** A link to the related page, such as sign-in from sign-up. */
  footer?: ReactNode
}) {
  const [support, setSupport] = useState(false)
  return (
    <div className="flex min-h-dvh flex-col bg-sunken before:network">
      <header className="flex h-14 items-center justify-between px-4 md:px-6">
        <Link to="/login" className="rounded-md">
          <Wordmark />
        </Link>
        <Button variant="quiet" icon="help" onClick={() => setSupport(true)}>
          Support
        </Button>
      </header>
      {/* Starts at a fixed height, so that content appearing in the card moves nothing above it. */}
      <main className="relative mx-auto w-full max-w-104 flex-1 px-4 pt-[max(1rem,14dvh)] pb-16">
        <div className="rounded-lg border border-line bg-surface p-6 md:p-7">
          <h1 className="text-xl font-semibold tracking-[-0.011em]">{title}</h1>
          {summary && <div className="mt-1 text-base text-dim text-pretty">{summary}</div>}
          {children && <div className="mt-5">{children}</div>}
        </div>
        {footer && <div className="mt-4 px-1 text-center text-base text-dim">{footer}</div>}
      </main>
      <Suspense>{support && <SupportDialog open onClose={() => setSupport(false)} />}</Suspense>
    </div>
  )
}
