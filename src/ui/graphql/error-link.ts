import { ApolloLink, CombinedGraphQLErrors, ServerError, ServerParseError, type ErrorLike } from '@apollo/client'
import { ErrorLink } from '@apollo/client/link/error'
import { EMPTY, throwError } from 'rxjs'
import { showFailure } from '../runtime/client.ts'
import { HttpFailure, isCancellation, NO_DETAILS } from '../runtime/http-failure.ts'
import { reportError } from '../runtime/report-error.ts'

/**
 * Shows and reports failures under the operation's name; canceled requests end silently. The failure passed on is that
 * of any other request, with the reference for support.
 */
export const createErrorLink = (): ApolloLink =>
  new ErrorLink(({ error, operation }) => {
    if (isCancellation(error)) return EMPTY
    const status = statusOf(error)
    const answer: unknown = operation.getContext()['response']
    const requestId = answer instanceof Response ? answer.headers.get('x-request-id') : null
    const failure = new HttpFailure(status, NO_DETAILS, null, error, requestId)
    failure.operation = operation.operationName ?? 'unnamed'
    // A loader's failure: the page that cannot be shown reports it. A page that was left, or a link only hovered, does
    // not.
    if (operation.getContext()['isLoaders'] === true) return throwError(() => failure)
    showFailure(failure)
    // An ended session is nobody's fault: the page redirects to sign-in.
    if (status !== 401) reportError(failure, { operation: failure.operation })
    return throwError(() => failure)
  })

/** Null when no response came. A response with GraphQL errors is the server's fault, whatever its status. */
function statusOf(error: ErrorLike): number | null {
  if (ServerError.is(error) || ServerParseError.is(error)) return error.statusCode
  return CombinedGraphQLErrors.is(error) ? 500 : null
}
