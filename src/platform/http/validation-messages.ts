/** Default messages for schema issues, worded to follow the name of the field. */
import type { z } from 'zod'

type Issue = z.core.$ZodRawIssue

/** Undefined keeps the library's message. */
export function validationMessage(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum), issue.inclusive ?? true)
    case 'too_big':
      return tooBig(issue.origin, Number(issue.maximum), issue.inclusive ?? true)
    case 'invalid_type':
      return TYPES[issue.expected]
    case 'invalid_value':
      return `takes ${listed(issue.values.map(String))}`
    case 'not_multiple_of':
      return `takes steps of ${issue.divisor}`
    case 'invalid_format':
      return FORMATS[issue.format]
    case 'custom':
    case 'invalid_element':
    case 'invalid_key':
    case 'invalid_union':
    case 'unrecognized_keys':
      return undefined
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'takes text',
  number: 'takes a number',
  int: 'takes a whole number',
  boolean: 'takes true or false',
  array: 'takes a list',
  object: 'takes an object',
}

const FORMATS: Readonly<Record<string, string>> = {
  date: 'takes a day such as 2026-03-31',
  datetime: 'takes a moment such as 2026-03-31T12:00:00Z',
}

const isNumber = (origin: string): boolean => origin === 'number' || origin === 'int' || origin === 'bigint'

function tooSmall(origin: string, least: number, inclusive: boolean): string {
  if (isNumber(origin)) return inclusive ? `is at least ${least}` : `is more than ${least}`
  return least === 1 ? 'is empty' : `takes at least ${counted(least, origin)}`
}

function tooBig(origin: string, most: number, inclusive: boolean): string {
  if (isNumber(origin)) return inclusive ? `is at most ${most}` : `is less than ${most}`
  return `takes at most ${counted(most, origin)}`
}

const counted = (count: number, origin: string): string => {
  const noun = origin === 'string' ? 'character' : 'entr'
  const ending = origin === 'string' ? (count === 1 ? '' : 's') : count === 1 ? 'y' : 'ies'
  return `${count} ${noun}${ending}`
}

const listed = (values: readonly string[]): string =>
  values.length > 1 ? `${values.slice(0, -1).join(', ')} or ${values.at(-1)}` : (values[0] ?? 'nothing')
