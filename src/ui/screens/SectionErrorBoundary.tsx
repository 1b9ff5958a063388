import { QueryErrorResetBoundary } from '@tanstack/react-query'
import { Component, Suspense, useEffect, type ReactNode } from 'react'
import { showFailure } from '../runtime/client.ts'
import { HttpFailure } from '../runtime/http-failure.ts'
import { reportError } from '../runtime/report-error.ts'
import { Button } from '../components/Button.tsx'
import { ErrorState } from '../components/EmptyState.tsx'

/**
 * A section that loads and fails alone, while the rest of the page is shown. The route handles a missing thing (404)
 * and a fault in the page, with its own pages.
 */
export function SectionErrorBoundary({
  loading,
  frame = (content) => content,
  children,
}: {
  /** The skeleton, as high as the content, so that nothing moves when it arrives. */
  loading: ReactNode
  /** Wraps the section in every state. */
  frame?: (content: ReactNode) => ReactNode
  children: ReactNode
}) {
  return (
    // A separate boundary: another section that renders in between would undo the reset of a shared one.
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
    if (error instanceof HttpFailure && error.status !== 401) showFailure(error)
    if (!isUnavailable(error))
      reportError(error, { operation: (error instanceof HttpFailure && error.operation) || 'part' })
  }

  readonly retry = (): void => {
    // A chunk that could not be fetched keeps failing until the page is reloaded.
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

/** Retries without a press once the network is back. */
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
/** Each browser words it differently. */
const isMissingChunk = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported module|module script|Importing a module/i.test(error.message)
