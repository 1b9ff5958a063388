import { QueryErrorResetBoundary } from '@tanstack/react-query'
import { Component, Suspense, useEffect, type ReactNode } from 'react'
import { tellFailure } from '../runtime/client.ts'
import { HttpFailure } from '../runtime/http-failure.ts'
import { reportError } from '../runtime/report-error.ts'
import { Button } from '../components/Button.tsx'
import { ErrorState } from '../components/EmptyState.tsx'

/**
 * A part of a screen that loads and fails by itself, while the rest stands. A thing that is not there (404) and a fault in
 * the page are the route's, which shows its own screens for them.
 */
export function SectionErrorBoundary({
  loading,
  frame = (content) => content,
  children,
}: {
  /** The shape of what is coming, as high as it is, so that nothing moves when it comes. */
  loading: ReactNode
  /** What stands around the part in every state. */
  frame?: (content: ReactNode) => ReactNode
  children: ReactNode
}) {
  return (
    // Its own: another part that renders in between would take the reset of a shared one back.
    <QueryErrorResetBoundary>
      {({ reset }) => (
        <Catch onRetry={reset} frame={frame}>
          <Suspense fallback={frame(loading)}>{children}</Suspense>
        </Catch>
      )}
    </QueryErrorResetBoundary>
  )
}

interface CatchProps {
  readonly onRetry: () => void
  readonly frame: (content: ReactNode) => ReactNode
  readonly children: ReactNode
}

class Catch extends Component<CatchProps, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: null }

  static getDerivedStateFromError = (error: unknown) => ({ error })

  override componentDidCatch(error: unknown): void {
    if (!isOfPart(error)) return
    if (error instanceof HttpFailure && error.status !== 401) tellFailure(error)
    if (!isUnavailable(error))
      reportError(error, { operation: (error instanceof HttpFailure && error.operation) || 'part' })
  }

  readonly retry = (): void => {
    // A piece of the program that could not be fetched stays refused until the page is loaded anew.
    if (!(this.state.error instanceof HttpFailure)) return location.reload()
    this.props.onRetry()
    this.setState({ error: null })
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    if (!isOfPart(error)) throw error
    return this.props.frame(<Failing unreachable={isUnavailable(error)} onRetry={this.retry} />)
  }
}

/** Somebody whose line comes back should not have to press anything. */
function Failing({ unreachable, onRetry }: { unreachable: boolean; onRetry: () => void }) {
  useEffect(() => {
    if (!unreachable) return
    addEventListener('online', onRetry)
    return () => removeEventListener('online', onRetry)
  }, [unreachable, onRetry])
  return (
    <ErrorState retry={<Button onClick={onRetry}>Try again</Button>}>
      {unreachable ? 'No connection to the server.' : 'The rest of the page is not affected. Nothing was changed.'}
    </ErrorState>
  )
}

const isOfPart = (error: unknown): boolean =>
  error instanceof HttpFailure ? error.status !== 404 : isMissingChunk(error)
const isUnavailable = (error: unknown): boolean => !(error instanceof HttpFailure) || error.status === null
/** Browsers word it each in their own way. */
const isMissingChunk = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported module|module script|Importing a module/i.test(error.message)
