import { useState } from 'react'
import { Button } from '../../ui/components/Button.tsx'
import type { Catalogue, RouterDetail } from '../contract.ts'
import { PlanChoice } from './OrderChoices.tsx'
import { blockedReason } from './router-labels.ts'

export function PlanChange({ router, offer, busy }: { router: RouterDetail; offer: Catalogue; busy: boolean }) {
  const [slug, setSlug] = useState(router.plan)
  return (
    <>
      <PlanChoice
        plans={offer.plans}
        currency={offer.currency}
        value={router.plan}
        onChange={setSlug}
        refuse={(plan) =>
          plan.diskSize < router.diskSize
            ? `Its ${plan.diskSize} GiB disk is smaller than your ${router.diskSize} GiB disk.`
            : null
        }
      />
      <div>
        <Button
          type="submit"
          variant="primary"
          busy={busy}
          disabledReason={
            blockedReason(router, 'resize') ?? (slug === router.plan ? 'Choose a different plan first.' : null)
          }
        >
          Change plan
        </Button>
      </div>
    </>
  )
}
