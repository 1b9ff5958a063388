/**
 * Validates a value against a JSON schema (2020-12, as far as the product's document uses it), and reports where it
 * fails and why.
 */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: boolean | JsonSchema
  readonly required?: readonly string[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
}

export type Schemas = Readonly<Record<string, JsonSchema>>

export function faults(schema: JsonSchema, value: unknown, named: Schemas, at = '$'): string[] {
  if (schema.$ref) {
    const found = named[schema.$ref.replace('#/components/schemas/', '')]
    return found ? faults(found, value, named, at) : [`${at}: ${schema.$ref} leads nowhere`]
  }
  const either = schema.anyOf ?? schema.oneOf
  if (either && !either.some((one) => faults(one, value, named, at).length === 0))
    return [`${at}: ${show(value)} is none of ${either.map((one) => show(one)).join(', ')}`]
  const found = (schema.allOf ?? []).flatMap((one) => faults(one, value, named, at))
  if ('const' in schema && schema.const !== value) found.push(`${at}: ${show(value)} is not ${show(schema.const)}`)
  if (schema.enum && !schema.enum.includes(value)) found.push(`${at}: ${show(value)} is none of ${show(schema.enum)}`)
  const types = schema.type === undefined ? [] : [schema.type].flat()
  if (types.length > 0 && !types.some((type) => isOfType(type, value)))
    return [...found, `${at}: ${show(value)} is no ${types.join(' or ')}`]
  return [...found, ...ofText(schema, value, at), ...ofNumber(schema, value, at), ...ofParts(schema, value, named, at)]
}

function ofText({ format, pattern }: JsonSchema, value: unknown, at: string): string[] {
  if (typeof value !== 'string') return []
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value) && !Number.isNaN(Date.parse(value))
  if (format === 'date-time' && !isTime) return [`${at}: ${value} is no ISO 8601 UTC`]
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return [`${at}: ${value} does not fit ${pattern}`]
  return []
}

const ofNumber = ({ minimum, maximum }: JsonSchema, value: unknown, at: string): string[] =>
  typeof value === 'number' && (value < (minimum ?? -Infinity) || value > (maximum ?? Infinity))
    ? [`${at}: ${value} is out of range`]
    : []

function ofParts(schema: JsonSchema, value: unknown, named: Schemas, at: string): string[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => faults(schema.items ?? {}, item, named, `${at}[${index}]`))
  if (typeof value !== 'object' || value === null) return []
  const { properties = {}, additionalProperties: others = true } = schema
  const missing = (schema.required ?? []).filter((name) => !(name in value)).map((name) => `${at}.${name} is missing`)
  const parts = Object.entries(value).flatMap(([name, part]) => {
    const known = properties[name] ?? (typeof others === 'object' ? others : undefined)
    if (known) return faults(known, part, named, `${at}.${name}`)
    return others === false ? [`${at}.${name} is not in the document`] : []
  })
  return [...missing, ...parts]
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  integer: Number.isInteger,
}
const isOfType = (type: string, value: unknown): boolean => TYPES[type]?.(value) ?? typeof value === type

const show = (value: unknown): string => JSON.stringify(value).slice(0, 120)
