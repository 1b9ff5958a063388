import { Link } from '@tanstack/react-router'
import { buttonClass } from '../components/button-variants.ts'
import { Icon } from '../components/Icon.tsx'
import type { AuditSearch } from './audit-search.ts'

/** Links to the audit log of a thing. */
export const AuditLogLink = ({ search }: { search: AuditSearch }) => (
  <Link to="/admin/audit" search={search} className={buttonClass('plain')}>
    <Icon name="audit" size={15} />
    Audit log
  </Link>
)
