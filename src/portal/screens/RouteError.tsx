import type { ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { failureReference } from '../error-catalogue.ts'
import { HttpFailure } from '../http-failure.ts'
import { reportError } from '../report-error.ts'
import { ApplicationErrorPage } from './ApplicationErrorPage.tsx'
import { NotFoundPage } from './NotFoundPage.tsx'

/** Whichever client asked: the one of GraphQL, which not everybody loads, says `statusCode`. */
const isAbsence = (error: unknown): boolean =>
  error instanceof HttpFailure
    ? error.status === 404
    : error instanceof Error && Reflect.get(error, 'statusCode') === 404

/** What a route shows in place of itself when its loader or its screen failed. */
export function RouteError({ error }: ErrorComponentProps) {
  const absent = isAbsence(error)
  useEffect(() => {
    if (!absent) reportError(error, { operation: 'route' })
  }, [error, absent])
  const reference = error instanceof HttpFailure ? failureReference(error) : null
  return absent ? <NotFoundPage /> : <ApplicationErrorPage reference={reference} />
}
