import { useState } from 'react'
import { useConfirmIdentity } from '../../../accounts/portal/proof/prove.ts'
import { Button } from '../../../ui/components/Button.tsx'
import { useStaffDenial } from '../../../ui/staff/staff-denial.ts'
import type { CustomerBilling } from './api.ts'
import { DiscountDialog } from './DiscountDialog.tsx'
import { ItemDialog } from './ItemDialog.tsx'

/** Menu of the discounts, credits and one-off charges that staff can add to an account. */
export function AdjustmentsMenu({ billing }: { billing: CustomerBilling }) {
  const [asked, setAsked] = useState<'CREDIT' | 'FEE' | 'DISCOUNT' | null>(null)
  const denial = useStaffDenial('billing', billing.user.id)
  const confirmIdentity = useConfirmIdentity()
  const { user, overview } = billing
  const close = () => setAsked(null)
  const askConfirmed = async (action: 'CREDIT' | 'DISCOUNT') => {
    if (await confirmIdentity()) setAsked(action)
  }
  return (
    <>
      <Button disabledReason={denial} onClick={() => void askConfirmed('CREDIT')}>
        Issue credit
      </Button>
      <Button disabledReason={denial} onClick={() => void askConfirmed('DISCOUNT')}>
        Add discount
      </Button>
      <Button disabledReason={denial} onClick={() => setAsked('FEE')}>
        Charge fee
      </Button>
      {asked === 'DISCOUNT' && <DiscountDialog id={user.id} onClose={close} />}
      {(asked === 'CREDIT' || asked === 'FEE') && (
        <ItemDialog id={user.id} kind={asked} currency={overview.currency} onClose={close} />
      )}
    </>
  )
}
