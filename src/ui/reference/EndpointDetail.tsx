import type { ReactNode } from 'react'
import { CodeBlock } from '../components/CodeBlock.tsx'
import { curlExample } from './curl-example.ts'
import { successOf, type ApiEndpoint } from './openapi-document.ts'
import { describeSchema } from './schema-labels.ts'
import { SchemaFields } from './SchemaFields.tsx'

const ACCESS = {
  public: 'Public. No token required.',
  session: 'Signed-in users.',
  verified: 'Signed-in users with a verified ASN.',
  admin: 'Staff only.',
} as const

const REJECTION_REASONS: Readonly<Record<string, string>> = {
  400: 'malformed request',
  401: 'not signed in, or the token has expired',
  402: 'no working payment method',
  403: 'missing scope, role or verified ASN',
  404: 'not found, or belongs to another customer',
  409: 'not possible in the current state; see detail',
  413: 'body too large',
  415: 'body is not JSON',
  422: 'invalid fields; see errors',
  429: 'rate limited; see Retry-After',
  500: 'server error; report the requestId',
  503: 'a dependency is unavailable; see Retry-After',
}

export function EndpointDetail({ endpoint }: { endpoint: ApiEndpoint }) {
  const answer = successOf(endpoint)
  const body = endpoint.requestBody?.content['application/json']?.schema
  const scope = endpoint['x-scope']
  return (
    <div className="grid gap-4 border-t border-line bg-sunken/50 p-3 md:p-4">
      <p className="text-sm text-dim">
        {ACCESS[endpoint['x-access'] ?? 'session']}
        {endpoint['x-required-role'] && ` Required role: ${endpoint['x-required-role']}.`}
        {scope && (
          <>
            {' '}
            Required token scope: <code className="font-mono text-xs text-ink">{scope}</code>.
          </>
        )}
      </p>
      {endpoint.parameters && endpoint.parameters.length > 0 && (
        <Part title="Parameters">
          <ul className="divide-y divide-line rounded-md border border-line bg-surface">
            {endpoint.parameters.map(({ name, in: place, required, schema }) => {
              const { label, choices } = describeSchema(schema)
              return (
                <li key={`${place} ${name}`} className="flex flex-wrap items-baseline gap-x-2.5 px-3 py-1.5">
                  <code className="font-mono text-sm font-medium">{name}</code>
                  <span className="text-sm text-dim">{[label, choices.join(', ')].filter(Boolean).join(' ')}</span>
                  <span className="text-xs text-faint">
                    in the {place}
                    {required ? ', required' : ''}
                  </span>
                </li>
              )
            })}
          </ul>
        </Part>
      )}
      {body && (
        <Part title="Body">
          <SchemaFields schema={body} of="body" />
        </Part>
      )}
      <Part title={`Answer ${answer.status}`}>
        {answer.schema ? (
          answer.media === 'application/json' ? (
            <SchemaFields schema={answer.schema} of="answer" />
          ) : (
            <p className="text-sm text-dim">A file: {answer.media}.</p>
          )
        ) : (
          <p className="text-sm text-dim">No body.</p>
        )}
      </Part>
      <Part title="Refusals">
        <ul className="grid gap-x-6 gap-y-0.5 text-sm text-dim sm:grid-cols-2">
          {Object.keys(endpoint.responses)
            .filter((status) => !status.startsWith('2'))
            .map((status) => (
              <li key={status}>
                <code className="num font-mono text-xs text-ink">{status}</code> {REJECTION_REASONS[status] ?? ''}
              </li>
            ))}
        </ul>
      </Part>
      <CodeBlock label="Example" snippets={[{ label: 'curl', text: curlExample(endpoint, location.origin) }]} />
    </div>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="min-w-0">
    <h4 className="mb-1.5 text-sm font-semibold">{title}</h4>
    {children}
  </div>
)
