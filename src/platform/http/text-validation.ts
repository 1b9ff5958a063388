/** Text that no column takes: PostgreSQL refuses NUL in any, and half a surrogate pair in JSON, where the trail keeps what changed. */
import type { FieldProblem } from '../../kernel/problem.ts'

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** The fields, by their paths, whose text could not be kept. For what a schema has read: its depth is bounded by the schema. */
export function unstorable(value: unknown, at: readonly string[] = []): FieldProblem[] {
  if (typeof value === 'string')
    return isStorable(value) ? [] : [{ field: at.join('.'), message: 'holds a character that is none' }]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, part]) => [
    ...(isStorable(key) ? [] : unstorable(key, at)),
    ...unstorable(part, [...at, key]),
  ])
}
