/**
 * Finds text that no column accepts: PostgreSQL rejects NUL everywhere, and half a surrogate pair in JSON, which the
 * audit log uses for changes.
 */
import type { FieldProblem } from '../../kernel/problem.ts'

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/**
 * Returns the fields, by path, whose text could not be stored. Call it on parsed values, whose depth the schema limits.
 */
export function unstorable(value: unknown, at: readonly string[] = []): FieldProblem[] {
  if (typeof value === 'string')
    return isStorable(value) ? [] : [{ field: at.join('.'), message: 'holds a character that is none' }]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, part]) => [
    ...(isStorable(key) ? [] : unstorable(key, at)),
    ...unstorable(part, [...at, key]),
  ])
}
