/**
 * Bodies for the isolation matrix: the schema accepts them, and every field that can name a row names another
 * customer's.
 */
import type { Tenant } from './testing-tenant-rows.ts'

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

/** Values for fields where the schema alone does not lead to a meaningful request. */
const PLAIN: Readonly<Record<string, unknown>> = {
  'PATCH /api/virtual_machines/{id}': { name: 'renamed' },
  'POST /api/virtual_machines/{id}/actions': { action: 'reboot' },
  'POST /api/virtual_machines/{id}/restore': {},
  'PATCH /api/webhooks/{id}': { enabled: false },
  'POST /api/webhooks/{id}/secret': { overlapHours: 1 },
  'POST /api/webhooks/{id}/replay': { since: '2026-01-01T00:00:00.000Z' },
}

export const plainBody = (key: string, schema: Schema | undefined): unknown =>
  schema === undefined ? undefined : (PLAIN[key] ?? fill(schema, null))

/** Returns the smallest body that the schema accepts, and one with every field. */
export function aimedBody(key: string, schema: Schema, victim: Tenant): readonly unknown[] {
  const aimed: unknown[] = [plainBody(key, schema), fill(schema, victim)]
  if (key === 'PUT /api/transit_connection') aimed.push({ routerId: victim.number }, { asn: victim.asn })
  if (key === 'POST /api/transit_prefixes')
    aimed.push({ value: `45.${victim.octets.split('.')[0]}.7.0/24`, announcementType: 'ORIGIN' })
  return aimed
}

function fill(schema: Schema, victim: Tenant | null): unknown {
  const { type, anyOf, oneOf } = schema
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const first = (anyOf ?? oneOf)?.[0]
  if (first) return fill(first, victim)
  if (type === 'object') {
    const properties = schema.properties ?? {}
    const names = victim ? Object.keys(properties) : (schema.required ?? [])
    return Object.fromEntries(names.map((name) => [name, fill(properties[name] ?? {}, victim)]))
  }
  if (type === 'array')
    return Array.from({ length: Math.max(schema.minItems ?? 0, victim ? 1 : 0) }, () =>
      fill(schema.items ?? {}, victim),
    )
  if (type === 'integer' || type === 'number') return victim?.number ?? Math.max(schema.minimum ?? 1, 1)
  if (type === 'boolean') return false
  if (schema.format === 'email') return victim ? `${victim.marker}@example.org` : 'somebody@example.org'
  if (schema.format === 'date-time') return new Date().toISOString()
  return 'x'.repeat(Math.max(schema.minLength ?? 1, 1))
}
