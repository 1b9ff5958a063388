/**
 * Whose duty a call of staff is. One table, asked by the server before it acts and by the screens to say beforehand why
 * not. Reading is everybody's; an owner may all that any of them may.
 */

export const STAFF_ROLES = ['owner', 'support', 'network', 'billing'] as const
export type StaffRole = (typeof STAFF_ROLES)[number]
/** A call has the duty of one role; whoever is to do the work of two holds both. */
export type RequiredRole = StaffRole

export const ROLES: Readonly<Record<StaffRole, { readonly label: string; readonly covers: string }>> = {
  owner: { label: 'Owner', covers: 'everything, including billing settings and staff roles' },
  support: { label: 'Support', covers: 'customers, ASN verification and customer views' },
  network: { label: 'Network', covers: 'prefixes, hypervisors, routers, sites, pools, images, edges and maintenance' },
  billing: { label: 'Billing', covers: 'prices, contracts, invoices, credits and refunds' },
}

export const hasRole = (roles: readonly StaffRole[], requiredRole: RequiredRole): boolean =>
  roles.includes('owner') || roles.includes(requiredRole)

/** Why somebody with these roles may not; null when they may. */
export function missingRoleReason(roles: readonly StaffRole[], requiredRole: RequiredRole): string | null {
  if (hasRole(roles, requiredRole)) return null
  return requiredRole === 'owner'
    ? 'Requires the Owner role.'
    : `Requires the ${ROLES[requiredRole].label} or Owner role.`
}
