/**
 * The roles of staff, and the role that each staff endpoint requires. The server checks it before it acts; screens use
 * it to explain beforehand why an action is disabled. All staff may read, and an owner may do everything.
 */

export const STAFF_ROLES = ['owner', 'support', 'network', 'billing'] as const
export type StaffRole = (typeof STAFF_ROLES)[number]
/** An endpoint requires one role. Staff who do two jobs hold both roles. */
export type RequiredRole = StaffRole

export const ROLES: Readonly<Record<StaffRole, { readonly label: string; readonly covers: string }>> = {
  owner: { label: 'Owner', covers: 'everything, including billing settings and staff roles' },
  support: { label: 'Support', covers: 'customers, ASN verification and customer views' },
  network: { label: 'Network', covers: 'prefixes, hypervisors, routers, sites, pools, images, edges and maintenance' },
  billing: { label: 'Billing', covers: 'prices, contracts, invoices, credits and refunds' },
}

export const hasRole = (roles: readonly StaffRole[], requiredRole: RequiredRole): boolean =>
  roles.includes('owner') || roles.includes(requiredRole)

/** Returns why staff with these roles may not act, or null if they may. */
export function missingRoleReason(roles: readonly StaffRole[], requiredRole: RequiredRole): string | null {
  if (hasRole(roles, requiredRole)) return null
  return requiredRole === 'owner'
    ? 'Requires the Owner role.'
    : `Requires the ${ROLES[requiredRole].label} or Owner role.`
}
