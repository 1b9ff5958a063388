import { useState } from 'react'
import { useDutyRefusal } from '../../../portal/duty.ts'
import { Button } from '../../../portal/ui/Button.tsx'
import type { CustomerBilling } from './api.ts'
import { DiscountDialog } from './DiscountDialog.tsx'
import { ItemDialog } from './ItemDialog.tsx'

/** What staff may give to an account, or charge it once. */
export function GiveMenu({ billing }: { billing: CustomerBilling }) {
  const [asked, setAsked] = useState<'CREDIT' | 'FEE' | 'DISCOUNT' | null>(null)
  const duty = useDutyRefusal('billing')
  const { user, overview } = billing
  const close = () => setAsked(null)
  return (
    <>
      <Button disabledReason={duty} onClick={() => setAsked('CREDIT')}>
        Issue credit
      </Button>
      <Button disabledReason={duty} onClick={() => setAsked('DISCOUNT')}>
        Add discount
      </Button>
      <Button disabledReason={duty} onClick={() => setAsked('FEE')}>
        Charge fee
      </Button>
      {asked === 'DISCOUNT' && <DiscountDialog id={user.id} onClose={close} />}
      {(asked === 'CREDIT' || asked === 'FEE') && (
        <ItemDialog id={user.id} kind={asked} currency={overview.currency} onClose={close} />
      )}
    </>
  )
}
