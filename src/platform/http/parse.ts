/** Parses requests with their schemas, and reports every wrong field at once by the name that the caller used. */
import { z } from 'zod'
import { invalid, malformed, notFound, type FieldProblem } from '../../kernel/problem.ts'
import { validationMessage } from './validation-messages.ts'
import { unstorable } from './text-validation.ts'

const FIELD_LABELS = { error: validationMessage }

export type ReadBody = { readonly body: unknown } | { readonly wrong: FieldProblem[]; readonly validFields: object }

/** For a body that does not fit: its issues, and the fields that are valid on their own. */
export function readBody(schema: z.ZodType, sent: unknown): ReadBody {
  // An empty body is valid where no field is required, such as an approval without a reason.
  const value = sent === undefined && schema.safeParse({}).success ? {} : sent
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw malformed('The body must be a JSON object.')
  const parsed = schema.safeParse(value, FIELD_LABELS)
  const read = parsed.success ? (parsed.data as object) : validFields(schema, value)
  const unkept = unstorable(read)
  if (parsed.success && unkept.length === 0) return { body: read }
  const atRisk = new Set(unkept.map(({ field }) => field.split('.', 1)[0]))
  return {
    wrong: [...(parsed.success ? [] : fieldProblems(parsed.error, value)), ...unkept],
    validFields: Object.fromEntries(Object.entries(read).filter(([name]) => !atRisk.has(name))),
  }
}

export function parseQuery<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value, FIELD_LABELS)
  if (!parsed.success) throw invalid(fieldProblems(parsed.error, value))
  const unkept = unstorable(parsed.data)
  if (unkept.length > 0) throw invalid(unkept)
  return parsed.data
}

/** A path that does not fit names nothing: answer 404, not 422. */
export function parseParams<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value)
  if (!parsed.success || unstorable(parsed.data).length > 0) throw notFound()
  return parsed.data
}

function fieldProblems(error: z.ZodError, value: unknown): FieldProblem[] {
  return error.issues.flatMap((issue) => {
    const field = issue.path.join('.')
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ field: field ? `${field}.${key}` : key, message: 'there is no such field' }))
    }
    const missing = issue.code === 'invalid_type' && valueAt(value, issue.path) === undefined
    return [{ field: field || 'body', message: missing ? 'is required' : issue.message }]
  })
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (part, key) => (part === null || typeof part !== 'object' ? undefined : Reflect.get(part, key)),
    value,
  )

function validFields(schema: z.ZodType, value: object): object {
  const fields = schema instanceof z.ZodObject ? Object.entries(schema.shape as Record<string, z.ZodType>) : []
  return Object.fromEntries(
    fields.flatMap(([name, field]) => {
      const parsed = field.safeParse(Reflect.get(value, name))
      return parsed.success && parsed.data !== undefined ? [[name, parsed.data]] : []
    }),
  )
}
