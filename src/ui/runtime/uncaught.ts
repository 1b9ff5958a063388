import { isReportable, UNCAUGHT } from './error-catalogue.ts'
import { HttpFailure } from './http-failure.ts'
import { notify } from './notifications.ts'
import { reportError } from './report-error.ts'

/** Handles uncaught errors: a toast for the user, a report for us. */
export function catchUncaught(target: Window): void {
  target.addEventListener('error', (event) => {
    // Resources that fail to load and ResizeObserver's notice carry no error: none of our code failed.
    if (event.error) report(event.error)
  })
  target.addEventListener('unhandledrejection', (event) => {
    // A skipped view transition rejects with AbortError; so does every canceled request.
    if (!isReportable(event.reason)) event.preventDefault()
    // The transport has already shown this one.
    else if (event.reason instanceof HttpFailure) event.preventDefault()
    else report(event.reason)
  })
}

function report(error: unknown): void {
  if (!isReportable(error)) return
  notify({ type: 'error', ...UNCAUGHT })
  reportError(error)
}
