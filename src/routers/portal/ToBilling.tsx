import { Link } from '@tanstack/react-router'
import { buttonLook } from '../../portal/ui/button-look.ts'

/** Where what stands in the way of routers is paid. */
export const ToBilling = () => (
  <Link to="/billing" className={buttonLook('plain', 'sm')}>
    Open Billing
  </Link>
)
