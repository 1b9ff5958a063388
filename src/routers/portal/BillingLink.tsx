import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../ui/components/button-variants.ts'

/** Where what stands in the way of routers is paid. */
export const BillingLink = () => (
  <Link to="/billing" className={buttonClass('plain', 'sm')}>
    Open Billing
  </Link>
)
