import type { ReactNode } from 'react'
import { CodeBlock } from '../ui/CodeBlock.tsx'
import { curlExample } from './curl-example.ts'
import { successOf, type ApiCall } from './openapi-document.ts'
import { describeSchema } from './schema-words.ts'
import { SchemaFields } from './SchemaFields.tsx'

const ACCESS = {
  public: 'Public. No token required.',
  session: 'Signed-in users.',
  verified: 'Signed-in users with a verified ASN.',
  admin: 'Staff only.',
} as const

const REFUSALS: Readonly<Record<string, string>> = {
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

export function CallDetail({ call }: { call: ApiCall }) {
  const answer = successOf(call)
  const body = call.requestBody?.content['application/json']?.schema
  const scope = call['x-scope']
  return (
    <div className="grid gap-4 border-t border-line bg-sunken/50 p-3 md:p-4">
      <p className="text-sm text-dim">
        {ACCESS[call['x-access'] ?? 'session']}
        {call['x-duty'] && ` Required role: ${call['x-duty']}.`}
        {scope && (
          <>
            {' '}
            Required token scope: <code className="font-mono text-xs text-ink">{scope}</code>.
          </>
        )}
      </p>
      {call.parameters && call.parameters.length > 0 && (
        <Part title="Parameters">
          <ul className="divide-y divide-line rounded-md border border-line bg-surface">
            {call.parameters.map(({ name, in: place, required, schema }) => {
              const { words, choices } = describeSchema(schema)
              return (
                <li key={`${place} ${name}`} className="flex flex-wrap items-baseline gap-x-2.5 px-3 py-1.5">
                  <code className="font-mono text-sm font-medium">{name}</code>
                  <span className="text-sm text-dim">{[words, choices.join(', ')].filter(Boolean).join(' ')}</span>
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
          {Object.keys(call.responses)
            .filter((status) => !status.startsWith('2'))
            .map((status) => (
              <li key={status}>
                <code className="num font-mono text-xs text-ink">{status}</code> {REFUSALS[status] ?? ''}
              </li>
            ))}
        </ul>
      </Part>
      <CodeBlock label="Example" snippets={[{ label: 'curl', text: curlExample(call, location.origin) }]} />
    </div>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="min-w-0">
    <h4 className="mb-1.5 text-sm font-semibold">{title}</h4>
    {children}
  </div>
)
