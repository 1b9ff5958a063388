import { DUTIES, STAFF_ROLES } from '../../../kernel/duty.ts'
import { PropertyTable } from '../../../portal/ui/PropertyTable.tsx'

export const RoleMeanings = () => (
  <PropertyTable
    items={STAFF_ROLES.map((role) => ({
      label: DUTIES[role].label,
      value: `${DUTIES[role].covers.charAt(0).toUpperCase()}${DUTIES[role].covers.slice(1)}`,
      wide: true,
    }))}
  />
)
