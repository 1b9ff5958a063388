import { ApolloLink, CombinedGraphQLErrors, ServerError, ServerParseError, type ErrorLike } from '@apollo/client'
import { ErrorLink } from '@apollo/client/link/error'
import { EMPTY } from 'rxjs'
import { failureWords } from '../../../portal/error-catalogue.ts'
import { isCancellation } from '../../../portal/http-failure.ts'
import { notify } from '../../../portal/notifications.ts'
import { reportError } from '../../../portal/report-error.ts'

/** Tells people and the error service about what failed, under the operation's name; what was called off ends in silence. */
export const createErrorLink = (): ApolloLink =>
  new ErrorLink(({ error, operation }) => {
    if (isCancellation(error)) return EMPTY
    notify({ type: 'error', ...failureWords(statusOf(error)) })
    // Without a session nobody is to blame: the page leads to the sign-in screen.
    if (statusOf(error) !== 401) reportError(error, { operation: operation.operationName ?? 'unnamed' })
  })

/** Null when no answer came. An answer that holds errors was the server's fault, whatever its status. */
function statusOf(error: ErrorLike): number | null {
  if (ServerError.is(error) || ServerParseError.is(error)) return error.statusCode
  return CombinedGraphQLErrors.is(error) ? 500 : null
}
