import { ApolloLink, CombinedGraphQLErrors, ServerError, ServerParseError, type ErrorLike } from '@apollo/client'
import { ErrorLink } from '@apollo/client/link/error'
import { EMPTY, throwError } from 'rxjs'
import { tellFailure } from '../runtime/client.ts'
import { HttpFailure, isCancellation, NO_DETAILS } from '../runtime/http-failure.ts'
import { reportError } from '../runtime/report-error.ts'

/**
 * Tells people and the error service about what failed, under the operation's name; what was called off ends in silence.
 * What goes on to the screen is the failure of any other call, which says what to name to support.
 */
export const createErrorLink = (): ApolloLink =>
  new ErrorLink(({ error, operation }) => {
    if (isCancellation(error)) return EMPTY
    const status = statusOf(error)
    const answer: unknown = operation.getContext()['response']
    const requestId = answer instanceof Response ? answer.headers.get('x-request-id') : null
    const failure = new HttpFailure(status, NO_DETAILS, null, error, requestId)
    failure.operation = operation.operationName ?? 'unnamed'
    // A loader's: the screen that cannot be shown tells of it and reports it. One that was left, or only hovered, does not.
    if (operation.getContext()['isLoaders'] === true) return throwError(() => failure)
    tellFailure(failure)
    // Without a session nobody is to blame: the page leads to the sign-in screen.
    if (status !== 401) reportError(failure, { operation: failure.operation })
    return throwError(() => failure)
  })

/** Null when no answer came. An answer that holds errors was the server's fault, whatever its status. */
function statusOf(error: ErrorLike): number | null {
  if (ServerError.is(error) || ServerParseError.is(error)) return error.statusCode
  return CombinedGraphQLErrors.is(error) ? 500 : null
}
