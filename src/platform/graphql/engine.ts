/**
 * Executes the staff's GraphQL API. It is a fifth of all code, so it is loaded with the first request or soon after the
 * start.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { GraphQLError, type GraphQLSchema } from 'graphql'
import { createYoga } from 'graphql-yoga'
import type { Principal } from '../http/principal.ts'
import type { Log } from '../log.ts'
import { currentTrace } from '../trace.ts'
import { boundOperations } from './limits.ts'
import type { GraphqlEngine } from './transport.ts'

export interface GraphqlOptions<C extends object> {
  readonly schema: GraphQLSchema
  readonly log: Log
  /** The context of resolvers, created for each request so that no cache spans users. */
  readonly contextFor: (principal: Principal) => C
}

export function createEngine<C extends object>({ schema, log, contextFor }: GraphqlOptions<C>): GraphqlEngine {
  const yoga = createYoga<{ principal: Principal }, C>({
    schema,
    graphqlEndpoint: '/api/graphql',
    batching: false,
    graphiql: false,
    landingPage: false,
    cors: false,
    logging: false,
    // An unexpected error of a resolver is a bug: log it in full, return a generic message.
    maskedErrors: {
      errorMessage: 'An unexpected error occurred.',
      maskError: (error, message) => {
        const original = error instanceof GraphQLError ? error.originalError : error
        // A resolver's deliberate error arrives wrapped with its location.
        if (error instanceof GraphQLError && (!original || original instanceof GraphQLError)) return error
        log.error({ err: original ?? error, reqId: currentTrace()?.id }, 'a GraphQL resolver failed')
        return new GraphQLError(message, { extensions: { code: 'INTERNAL_SERVER_ERROR' } })
      },
    },
    plugins: [boundOperations(schema)],
    context: ({ principal }) => contextFor(principal),
  })
  return (request: FastifyRequest, reply: FastifyReply, principal) =>
    yoga.handleNodeRequestAndResponse(request, reply, { principal })
}
