/** Schemas at the border: every wrong field at once, named as the caller wrote it. */
import type { z } from 'zod'
import { invalid, malformed, notFound, type FieldProblem } from '../../kernel/problem.ts'

export function parseBody<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw malformed('The body must be a JSON object.')
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw invalid(fieldProblems(parsed.error))
  return parsed.data
}

export function parseQuery<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw invalid(fieldProblems(parsed.error))
  return parsed.data
}

/** A path that does not fit names nothing: absent, not invalid. */
export function parseParams<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw notFound()
  return parsed.data
}

function fieldProblems(error: z.ZodError): FieldProblem[] {
  return error.issues.flatMap((issue) => {
    const field = issue.path.join('.')
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ field: field ? `${field}.${key}` : key, message: 'there is no such field' }))
    }
    const missing = issue.code === 'invalid_type' && issue.input === undefined
    return [{ field: field || 'body', message: missing ? 'is required' : issue.message }]
  })
}
