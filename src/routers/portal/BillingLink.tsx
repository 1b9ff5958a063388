import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../ui/components/button-variants.ts'

/** Links to the bill that keeps routers from working. */
export const BillingLink = () => (
  <Link to="/billing" className={buttonClass('plain', 'sm')}>
    Open Billing
  </Link>
)
