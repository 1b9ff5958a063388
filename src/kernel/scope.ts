/** What a token for programs may touch: one area of the border, to read it or to change it too. */

export const AREAS = ['account', 'routers', 'transit', 'billing', 'webhooks', 'staff'] as const
export type Area = (typeof AREAS)[number]
export type Scope = `${Area}:${'read' | 'write'}`

export const SCOPES: readonly Scope[] = AREAS.flatMap((area) => [`${area}:read`, `${area}:write`] as const)

/** What a call needs. Calls for staff are an area of their own wherever they stand. */
export const scopeOf = (area: Area, call: { readonly method: string; readonly access: string }): Scope =>
  `${call.access === 'admin' ? 'staff' : area}:${call.method === 'GET' ? 'read' : 'write'}`

/** Who may change an area may read it. */
export const covers = (scopes: readonly Scope[], needed: Scope): boolean =>
  scopes.includes(needed) || scopes.includes(needed.replace(':read', ':write') as Scope)
