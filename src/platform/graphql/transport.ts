/** `POST /api/graphql`: staff only, one operation per request, with limits checked before anything is executed. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { malformed, Problem, unauthorized } from '../../kernel/problem.ts'
import { requireScope, requireStaff, type Principal } from '../http/principal.ts'
import { step } from '../trace.ts'

/** Sends the response itself. */
export type GraphqlEngine = (
  request: FastifyRequest,
  reply: FastifyReply,
  principal: Principal,
) => Response | Promise<Response>

/** The start is over by then, and the first staff request need not wait for the engine. */
const LOAD_AFTER_MS = 2_000

export function mountGraphql(app: FastifyInstance, load: () => Promise<GraphqlEngine>): void {
  let engine: Promise<GraphqlEngine> | undefined
  const loaded = (): Promise<GraphqlEngine> => (engine ??= load())
  app.addHook('onListen', (done) => {
    setTimeout(() => void loaded().catch(() => undefined), LOAD_AFTER_MS).unref()
    done()
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
      // The engine would wait for a body that never arrives.
      if (!request.body || Object.keys(request.body).length === 0)
        throw malformed('The body must be a JSON object with a query.')
      const answer = await loaded()
      const { status, headers, text } = await step('graphql', async () => {
        const answered = await answer(request, reply, principal)
        return { status: answered.status, headers: answered.headers, text: await answered.text() }
      })
      // The engine answers this without a body.
      if (status === 406)
        throw new Problem(406, 'GraphQL answers application/json and application/graphql-response+json.')
      // Text, not a stream: text responses are compressed.
      return reply.code(status).headers(Object.fromEntries(headers)).send(text)
    },
  })
}
