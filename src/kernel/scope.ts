/** The scopes of an API token: each opens one area of the API, for reading or for reading and writing. */

export const AREAS = ['account', 'routers', 'transit', 'billing', 'webhooks', 'staff'] as const
export type Area = (typeof AREAS)[number]
export type Scope = `${Area}:${'read' | 'write'}`

export const SCOPES: readonly Scope[] = AREAS.flatMap((area) => [`${area}:read`, `${area}:write`] as const)

/** Returns the scope that an endpoint needs. Staff endpoints are one area, whatever their path. */
export const scopeOf = (area: Area, call: { readonly method: string; readonly access: string }): Scope =>
  `${call.access === 'admin' ? 'staff' : area}:${call.method === 'GET' ? 'read' : 'write'}`

/** Write access to an area includes read access. */
export const covers = (scopes: readonly Scope[], needed: Scope): boolean =>
  scopes.includes(needed) || scopes.includes(needed.replace(':read', ':write') as Scope)
