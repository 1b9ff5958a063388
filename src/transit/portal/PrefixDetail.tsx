import { useState } from 'react'
import { formatAsn } from '../../kernel/asn.ts'
import { Button } from '../../portal/ui/Button.tsx'
import { Callout } from '../../portal/ui/Callout.tsx'
import { StageList, type Stage } from '../../portal/ui/StageList.tsx'
import { Time } from '../../portal/ui/Time.tsx'
import type { TransitPrefix } from '../contract.ts'
import { afterAction, holdsSpace, STATUS_WORDS } from '../states.ts'
import { ANNOUNCEMENT_WORDS } from './prefix-words.ts'
import { useRecheck } from './use-recheck.ts'
import { WithdrawPrefix } from './WithdrawPrefix.tsx'

export function PrefixDetail({ prefix, stages }: { prefix: TransitPrefix; stages: readonly Stage[] }) {
  const [withdraws, setWithdraws] = useState(false)
  const recheck = useRecheck(prefix.id)
  const wait = holdsSpace(prefix.status) ? null : `A ${STATUS_WORDS[prefix.status]} prefix is no longer checked.`
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 px-3 pb-3">
      {prefix.attention && (
        <Callout tone="warn" title="Fix this to keep your prefix reachable">
          {prefix.attention}
        </Callout>
      )}
      <StageList label={`Progress of ${prefix.value}`} stages={stages} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-sm text-dim">
          {ANNOUNCEMENT_WORDS[prefix.announcementType].detail}
          {prefix.originAsn !== null && `, origin ${formatAsn(prefix.originAsn)}`}; checked{' '}
          <Time at={prefix.checkedAt} none="not yet" />
        </p>
        <span className="flex gap-2">
          <Button size="sm" icon="refresh" busy={recheck.busy} disabledReason={wait} onClick={() => void recheck.ask()}>
            Check again
          </Button>
          <Button
            size="sm"
            icon="trash"
            disabledReason={
              afterAction('withdraw', prefix.status) === null
                ? `You cannot withdraw this prefix while it is ${STATUS_WORDS[prefix.status]}.`
                : null
            }
            onClick={() => setWithdraws(true)}
          >
            Withdraw
          </Button>
        </span>
      </div>
      <WithdrawPrefix prefix={prefix} open={withdraws} onClose={() => setWithdraws(false)} />
    </div>
  )
}
