import { useState } from 'react'
import { Icon } from '../components/Icon.tsx'
import type { Schema } from './openapi-document.ts'
import { describeSchema, type FieldShape } from './schema-labels.ts'

/** For a request body, required fields are marked; for a response, optional ones. */
type Side = 'body' | 'answer'

/** How many levels are open at first. */
const OPEN_DEPTH = 1

/** A schema as a list of its fields and their types; nested ones can be opened. */
export function SchemaFields({ schema, of, depth = 0 }: { schema: Schema; of: Side; depth?: number }) {
  const shape = describeSchema(schema)
  return (
    <div className="min-w-0">
      {depth === 0 && (
        <p className="mb-1 text-sm text-dim">
          {shape.label} <Choices choices={shape.choices} />
        </p>
      )}
      {shape.fields.length > 0 && (
        <ul className="divide-y divide-line rounded-md border border-line bg-surface">
          {shape.fields.map((field) => (
            <SchemaField key={field.name} field={field} of={of} depth={depth} />
          ))}
        </ul>
      )}
    </div>
  )
}

function SchemaField({ field, of, depth }: { field: FieldShape; of: Side; depth: number }) {
  const shape = describeSchema(field.schema)
  const nested = shape.fields.length > 0
  const [open, setOpen] = useState(depth < OPEN_DEPTH && shape.fields.length <= 4)
  return (
    <li className="px-3 py-1.5">
      <div className="flex flex-wrap items-baseline gap-x-2.5 gap-y-0.5">
        <code className="font-mono text-sm font-medium wrap-anywhere">{field.name}</code>
        <span className="text-sm text-dim">
          {shape.label} <Choices choices={shape.choices} />
        </span>
        {field.required === (of === 'body') && (
          <span className="text-xs text-faint">{of === 'body' ? 'required' : 'optional'}</span>
        )}
        {nested && (
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="ml-auto inline-flex items-center gap-1 rounded-sm text-xs text-dim hover:text-ink"
          >
            {shape.fields.length} fields
            <span className="sr-only"> of {field.name}</span>
            <Icon name={open ? 'up' : 'down'} size={11} />
          </button>
        )}
      </div>
      {nested && open && (
        <div className="mt-1.5 mb-1">
          <SchemaFields schema={field.schema} of={of} depth={depth + 1} />
        </div>
      )}
    </li>
  )
}

const Choices = ({ choices }: { choices: readonly string[] }) =>
  choices.map((choice, index) => (
    <span key={choice}>
      {index > 0 && ', '}
      <code className="font-mono text-xs text-ink">{choice}</code>
    </span>
  ))
