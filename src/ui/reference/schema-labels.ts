/** Describes a JSON schema in words: `list of text`, `whole number, 1 to 100`. */
import type { Schema } from './openapi-document.ts'

export interface Shape {
  readonly label: string
  /** The allowed values, when it is a choice. */
  readonly choices: readonly string[]
  /** Fields of an object, or of the objects in a list. */
  readonly fields: readonly FieldShape[]
}

export interface FieldShape {
  readonly name: string
  readonly required: boolean
  readonly schema: Schema
}

export function describeSchema(schema: Schema): Shape {
  const { core, nullable } = withoutNull(schema)
  const inner = core.type === 'array' ? core.items : undefined
  const shape = inner ? listOf(core, describeSchema(inner)) : describeCore(core)
  const byDefault = schema.default === undefined ? '' : `, ${JSON.stringify(schema.default)} unless given`
  if (nullable && shape.label === 'one of') {
    return { ...shape, label: `one of${byDefault}`, choices: [...shape.choices, 'null'] }
  }
  return { ...shape, label: `${shape.label}${nullable ? ' or null' : ''}${byDefault}` }
}

function listOf({ minItems, maxItems }: Schema, inner: Shape): Shape {
  const size = range(minItems && minItems > 0 ? minItems : undefined, maxItems)
  return { ...inner, label: `list of ${inner.label}${size ? `, ${size} of them` : ''}` }
}

function describeCore(schema: Schema): Shape {
  const plain = (label: string): Shape => ({ label, choices: [], fields: [] })
  if (schema.const !== undefined) return plain(JSON.stringify(schema.const))
  if (schema.enum) return { label: 'one of', choices: schema.enum.map(String), fields: [] }
  const either = schema.anyOf ?? schema.oneOf
  if (either) {
    const constants = either.map(({ const: value }) => value)
    if (constants.every((value) => value !== undefined))
      return { label: 'one of', choices: constants.map(String), fields: [] }
    const shapes = either.map(describeSchema)
    return {
      label: [...new Set(shapes.map(({ label }) => label))].join(' or '),
      choices: shapes.flatMap(({ choices }) => choices),
      fields: shapes.find(({ fields }) => fields.length > 0)?.fields ?? [],
    }
  }
  const type: string = [schema.type].flat()[0] ?? ''
  switch (type) {
    case 'object':
      return describeObject(schema)
    case 'array':
      return plain('list')
    case 'string':
      return plain(describeText(schema))
    case 'integer':
    case 'number': {
      const kind = type === 'integer' ? 'whole number' : 'number'
      const bounds = range(finite(schema.minimum), finite(schema.maximum))
      return plain(bounds ? `${kind}, ${bounds}` : kind)
    }
    case 'boolean':
      return plain('true or false')
    case 'null':
      return plain('null')
    default:
      return plain('anything')
  }
}

function describeObject({ properties = {}, required = [], additionalProperties }: Schema): Shape {
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: required.includes(name),
  }))
  if (fields.length > 0 || typeof additionalProperties !== 'object') return { label: 'object', choices: [], fields }
  return { label: `object of ${describeSchema(additionalProperties).label} by name`, choices: [], fields }
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'time, ISO 8601',
  email: 'e-mail address',
  uuid: 'UUID',
  ipv4: 'IPv4 address',
  ipv6: 'IPv6 address',
  binary: 'file',
  uri: 'address',
}

function describeText({ format, minLength, maxLength }: Schema): string {
  const known = format && FORMATS[format]
  if (known) return known
  const length = range(minLength && minLength > 1 ? minLength : undefined, maxLength)
  return length ? `text, ${length} characters` : 'text'
}

function withoutNull(schema: Schema): { core: Schema; nullable: boolean } {
  if (Array.isArray(schema.type)) {
    const types = (schema.type as readonly string[]).filter((type) => type !== 'null')
    return { core: { ...schema, type: types[0] ?? 'null' }, nullable: types.length < schema.type.length }
  }
  const either = schema.anyOf?.filter(({ type }) => type !== 'null')
  if (!schema.anyOf || !either || either.length === schema.anyOf.length) return { core: schema, nullable: false }
  return { core: either.length === 1 ? either[0]! : { anyOf: either }, nullable: true }
}

/** Bounds that only mean "a safe integer" are left out. */
const finite = (bound: number | undefined): number | undefined =>
  bound === undefined || Math.abs(bound) >= 2_147_483_647 ? undefined : bound

function range(least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined) return least === most ? String(least) : `${least} to ${most}`
  if (most !== undefined) return `at most ${most}`
  return least === undefined ? '' : `at least ${least}`
}
