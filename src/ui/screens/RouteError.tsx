import type { ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { showFailure } from '../runtime/client.ts'
import { failureReference } from '../runtime/error-catalogue.ts'
import { HttpFailure } from '../runtime/http-failure.ts'
import { reportError } from '../runtime/report-error.ts'
import { ApplicationErrorPage } from './ApplicationErrorPage.tsx'
import { NotFoundPage } from './NotFoundPage.tsx'

/** Replaces a route when its loader or its page failed. */
export function RouteError({ error }: ErrorComponentProps) {
  const absent = error instanceof HttpFailure && error.status === 404
  useEffect(() => {
    if (absent) return
    // A signed-out user is told so on the sign-in page, which comes next.
    if (error instanceof HttpFailure && error.status !== 401) showFailure(error)
    reportError(error, { operation: (error instanceof HttpFailure && error.operation) || 'route' })
  }, [error, absent])
  const reference = error instanceof HttpFailure ? failureReference(error) : null
  return absent ? <NotFoundPage /> : <ApplicationErrorPage reference={reference} />
}
