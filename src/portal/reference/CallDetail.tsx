import type { ReactNode } from 'react'
import { CodeBlock } from '../ui/CodeBlock.tsx'
import { curlExample } from './curl-example.ts'
import { successOf, type ApiCall } from './openapi-document.ts'
import { describeSchema } from './schema-words.ts'
import { SchemaFields } from './SchemaFields.tsx'

const ACCESS = {
  public: 'Anybody, without a token.',
  session: 'Whoever is signed in.',
  verified: 'Whoever is signed in with a verified ASN.',
  admin: 'Staff.',
} as const

const REFUSALS: Readonly<Record<string, string>> = {
  400: 'the request cannot be read',
  401: 'not signed in, or the token is over',
  402: 'there is no payment method that works',
  403: 'not yours to do: the scope, the role, or the ASN is missing',
  404: 'there is no such thing, or it is not yours',
  409: 'not in the state that it is in; detail says which',
  413: 'the body is too large',
  415: 'the body is not JSON',
  422: 'fields are wrong; errors names each',
  429: 'too often; Retry-After says when to come back',
  500: 'a fault of ours; requestId finds it',
  503: 'a part that it needs is away; Retry-After says when to come back',
}

export function CallDetail({ call }: { call: ApiCall }) {
  const answer = successOf(call)
  const body = call.requestBody?.content['application/json']?.schema
  const scope = call['x-scope']
  return (
    <div className="grid gap-4 border-t border-line bg-sunken/50 p-3 md:p-4">
      <p className="text-sm text-dim">
        {ACCESS[call['x-access'] ?? 'session']}
        {call['x-duty'] && ` The role: ${call['x-duty']}.`}
        {scope && (
          <>
            {' '}
            A token needs the scope <code className="font-mono text-xs text-ink">{scope}</code>.
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
