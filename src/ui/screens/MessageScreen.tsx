import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { useScreenTitle } from '../runtime/title.ts'
import { supportEmail } from '../runtime/page-settings.ts'
import { buttonClass } from '../components/button-variants.ts'

/** Replaces a page that cannot be shown: what happened, the way home, and how to get help. */
export function MessageScreen({
  title,
  code,
  children,
  action,
}: {
  title: string
  code: string
  children: ReactNode
  action?: ReactNode
}) {
  useScreenTitle(title)
  return (
    <div className="mx-auto flex min-h-[70dvh] max-w-lg flex-col justify-center px-5 py-12">
      <p className="font-mono text-sm text-faint">{code}</p>
      <h1 className="mt-1 text-2xl font-semibold tracking-[-0.015em]">{title}</h1>
      <div className="mt-2 text-lg text-dim text-pretty">{children}</div>
      <div className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-3">
        {action}
        <Link to="/" className={buttonClass(action ? 'plain' : 'primary')}>
          Back to homepage
        </Link>
        <a href={`mailto:${supportEmail}`} className="link text-base">
          Need Help? Contact Support
        </a>
      </div>
    </div>
  )
}
