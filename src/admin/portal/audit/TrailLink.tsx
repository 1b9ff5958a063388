import { Link } from '@tanstack/react-router'
import { buttonLook } from '../../../portal/ui/button-look.ts'
import { Icon } from '../../../portal/ui/Icon.tsx'
import type { AuditSearch } from './audit-search.ts'

/** The way from a thing to what happened to it. */
export const TrailLink = ({ search }: { search: AuditSearch }) => (
  <Link to="/admin/audit" search={search} className={buttonLook('plain')}>
    <Icon name="trail" size={15} />
    Audit log
  </Link>
)
