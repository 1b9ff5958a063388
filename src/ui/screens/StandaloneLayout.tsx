import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Wordmark } from '../shell/Wordmark.tsx'

/** The layout of pages outside the portal, with its brand. */
export const StandaloneLayout = ({ children }: { children: ReactNode }) => (
  <div className="flex min-h-dvh flex-col">
    <header className="flex h-14 items-center px-4 md:px-6">
      <Link to="/" className="rounded-md">
        <Wordmark />
      </Link>
    </header>
    <main className="flex-1">{children}</main>
  </div>
)
