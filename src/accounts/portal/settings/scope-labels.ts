import type { Area, Scope } from '../../../kernel/scope.ts'

export const AREA_LABELS: Readonly<Record<Area, { readonly label: string; readonly detail: string }>> = {
  account: { label: 'Account', detail: 'name, SSH keys, activity' },
  routers: { label: 'Routers', detail: 'create, power, consoles, metrics' },
  transit: { label: 'IP Transit', detail: 'connection, sessions, prefixes' },
  billing: { label: 'Billing', detail: 'invoices, payment methods' },
  webhooks: { label: 'Webhooks', detail: 'endpoints and events' },
  staff: { label: 'Staff', detail: 'staff functions' },
}

/** `Routers, read Billing`: write access comes first and needs no verb. */
export function describeScopes(scopes: readonly Scope[]): string {
  const area = (scope: Scope) => AREA_LABELS[scope.slice(0, scope.indexOf(':')) as Area].label
  const writes = scopes.filter((scope) => scope.endsWith(':write')).map(area)
  const reads = scopes.filter((scope) => scope.endsWith(':read')).map(area)
  return [...writes, ...reads.filter((name) => !writes.includes(name)).map((name) => `read ${name}`)].join(', ')
}
