/** Endpoints that are not JSON of a slice: streams, files of other protocols, and the document itself. */
type Json = Record<string, unknown>

interface ExtraEndpoint {
  readonly access: 'public' | 'session' | 'admin'
  readonly summary: string
  readonly takes?: string
  readonly gives: readonly [status: 200 | 204, media?: string]
  /** Error statuses in the media type of the success response. */
  readonly speaks?: readonly number[]
  readonly errors: readonly number[]
}

const EXTRA_ENDPOINTS: Readonly<Record<string, ExtraEndpoint>> = {
  'GET /api/openapi.json': {
    access: 'public',
    summary: 'This document',
    gives: [200, 'application/json'],
    errors: [],
  },
  'GET /api/events': {
    access: 'session',
    summary:
      'News of what this session may see, as they happen; `age` (milliseconds, at most 60000) begins with what changed that long ago',
    gives: [200, 'text/event-stream'],
    errors: [401],
  },
  'POST /api/graphql': {
    access: 'admin',
    summary: 'The reads of staff over everything',
    takes: 'application/json',
    gives: [200, 'application/json'],
    // A document that does not parse, in GraphQL's own format (GraphQL over HTTP).
    speaks: [400],
    errors: [400, 401, 403],
  },
  'POST /internal/errors': {
    access: 'public',
    summary: 'A Sentry envelope, forwarded to the configured project and nowhere else',
    takes: 'application/x-sentry-envelope',
    gives: [204],
    errors: [400, 403, 413],
  },
  'POST /mini-profiler-resources/results': {
    access: 'admin',
    summary: 'What one of the own requests did: form fields id and popup=0, header X-Requested-With: XMLHttpRequest',
    takes: 'application/x-www-form-urlencoded',
    gives: [200, 'application/json'],
    errors: [400, 401, 403, 404],
  },
  'GET /metrics': {
    access: 'public',
    summary: 'Figures for Prometheus: for this machine, or with METRICS_TOKEN as bearer token',
    gives: [200, 'text/plain'],
    errors: [404],
  },
}

export function describeExtraEndpoints(): Record<string, Record<string, Json>> {
  return Object.fromEntries(
    Object.entries(EXTRA_ENDPOINTS).map(([key, { access, summary, takes, gives, speaks = [], errors: refuses }]) => {
      const [method, path] = key.split(' ') as [string, string]
      const [status, media] = gives
      const operation = {
        operationId: `${method.toLowerCase()}${path.replaceAll(/[^a-z]+([a-z])/g, (_, char: string) => char.toUpperCase())}`,
        summary,
        'x-access': access,
        /** The schemas that parse the other endpoints do not read this one. */
        'x-non-json': true,
        security: access === 'public' ? [] : [{ session: [] }, { token: [] }],
        ...(takes ? { requestBody: { required: true, content: { [takes]: {} } } } : {}),
        responses: {
          [status]: { description: 'Done', ...(media ? { content: { [media]: {} } } : {}) },
          ...Object.fromEntries(
            [...new Set([...speaks, ...refuses])].map((code) => [
              code,
              {
                description: 'Refused',
                content: {
                  ...(media && speaks.includes(code) ? { [media]: {} } : {}),
                  ...(refuses.includes(code)
                    ? { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }
                    : {}),
                },
              },
            ]),
          ),
        },
      }
      return [path, { [method.toLowerCase()]: operation }]
    }),
  )
}
