/** `POST /api/graphql`: staff only, one operation a request, bounded before anything is executed. */
import type { FastifyInstance } from 'fastify'
import { GraphQLError, type GraphQLSchema } from 'graphql'
import { createYoga } from 'graphql-yoga'
import { unauthorized } from '../../kernel/problem.ts'
import type { Log } from '../log.ts'
import { requireScope, requireStaff, type Principal } from '../http/principal.ts'
import { currentTrace, step } from '../trace.ts'
import { boundOperations } from './limits.ts'

export interface GraphqlOptions<C extends object> {
  readonly schema: GraphQLSchema
  readonly log: Log
  /** What resolvers see; made anew for each request, so that nothing is cached across people. */
  readonly contextFor: (principal: Principal) => C
}

export function mountGraphql<C extends object>(
  app: FastifyInstance,
  { schema, log, contextFor }: GraphqlOptions<C>,
): void {
  const yoga = createYoga<{ principal: Principal }, C>({
    schema,
    graphqlEndpoint: '/api/graphql',
    batching: false,
    graphiql: false,
    landingPage: false,
    cors: false,
    logging: false,
    // What a resolver throws by mistake is a fault of ours: logged in full, told in general.
    maskedErrors: {
      errorMessage: 'An unexpected error occurred.',
      maskError: (error, message) => {
        const original = error instanceof GraphQLError ? error.originalError : error
        // A resolver's own words to its caller arrive wrapped in where they were said.
        if (error instanceof GraphQLError && (!original || original instanceof GraphQLError)) return error
        log.error({ err: original ?? error, reqId: currentTrace()?.id }, 'a GraphQL resolver failed')
        return new GraphQLError(message, { extensions: { code: 'INTERNAL_SERVER_ERROR' } })
      },
    },
    plugins: [boundOperations(schema)],
    context: ({ principal }) => contextFor(principal),
  })
  app.route({
    url: '/api/graphql',
    method: 'POST',
    config: { endpoint: 'POST /api/graphql' },
    handler: async (request, reply) => {
      const { principal } = request
      if (!principal) throw unauthorized()
      requireStaff(principal)
      requireScope(principal, 'staff:read')
      return step('graphql', async () => yoga.handleNodeRequestAndResponse(request, reply, { principal }))
    },
  })
}
