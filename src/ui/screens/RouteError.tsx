import type { ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { failureReference } from '../runtime/error-catalogue.ts'
import { HttpFailure } from '../runtime/http-failure.ts'
import { reportError } from '../runtime/report-error.ts'
import { ApplicationErrorPage } from './ApplicationErrorPage.tsx'
import { NotFoundPage } from './NotFoundPage.tsx'

/** What a route shows in place of itself when its loader or its screen failed. */
export function RouteError({ error }: ErrorComponentProps) {
  const absent = error instanceof HttpFailure && error.status === 404
  useEffect(() => {
    if (!absent) reportError(error, { operation: 'route' })
  }, [error, absent])
  const reference = error instanceof HttpFailure ? failureReference(error) : null
  return absent ? <NotFoundPage /> : <ApplicationErrorPage reference={reference} />
}
