/** Builds a body that a JSON schema accepts, so that a request passes validation and reaches the ownership check. */
export interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly minLength?: number
  readonly minimum?: number
  readonly minItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

export function sample(schema: Schema): unknown {
  const { type, anyOf, oneOf } = schema
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const first = (anyOf ?? oneOf)?.[0]
  if (first) return sample(first)
  if (type === 'object') {
    const properties = schema.properties ?? {}
    return Object.fromEntries((schema.required ?? []).map((name) => [name, sample(properties[name] ?? {})]))
  }
  if (type === 'array') return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items ?? {}))
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1)
  if (type === 'boolean') return false
  if (schema.format === 'email') return 'somebody@example.org'
  if (schema.format === 'date-time') return new Date().toISOString()
  return 'x'.repeat(Math.max(schema.minLength ?? 1, 1))
}
