import { ROLES, STAFF_ROLES } from '../../../kernel/required-role.ts'
import { PropertyTable } from '../../../ui/components/PropertyTable.tsx'

export const RoleMeanings = () => (
  <PropertyTable
    items={STAFF_ROLES.map((role) => ({
      label: ROLES[role].label,
      value: `${ROLES[role].covers.charAt(0).toUpperCase()}${ROLES[role].covers.slice(1)}`,
      wide: true,
    }))}
  />
)
