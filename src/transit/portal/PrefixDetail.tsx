import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { formatAsn } from '../../kernel/asn.ts'
import { Button } from '../../ui/components/Button.tsx'
import { Callout } from '../../ui/components/Callout.tsx'
import { StageList, type Stage } from '../../ui/components/StageList.tsx'
import { Time } from '../../ui/components/Time.tsx'
import type { TransitPrefix } from '../contract.ts'
import { afterAction, allowsLoa, occupiesSpace, STATUS_LABELS } from '../states.ts'
import { ANNOUNCEMENT_LABELS } from './prefix-labels.ts'
import { ProveSpace } from './ProveSpace.tsx'
import { useRecheck } from './use-recheck.ts'
import { WithdrawPrefix } from './WithdrawPrefix.tsx'

const SignLoa = lazy(() => import('./loas/SignLoa.tsx'))

export function PrefixDetail({
  prefix,
  stages,
  linked = false,
}: {
  prefix: TransitPrefix
  stages: readonly Stage[]
  /** Whether it links to the page of the prefix; false on that page. */
  linked?: boolean
}) {
  const [withdraws, setWithdraws] = useState(false)
  const [signs, setSigns] = useState(false)
  const recheck = useRecheck(prefix.id)
  const wait = occupiesSpace(prefix.status) ? null : `A ${STATUS_LABELS[prefix.status]} prefix is no longer checked.`
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 px-3 pb-3">
      {prefix.attention && (
        <Callout tone="warn" title="Fix this to keep your prefix reachable">
          {prefix.attention}
        </Callout>
      )}
      <StageList label={`Progress of ${prefix.value}`} stages={stages} />
      <ProveSpace prefix={prefix} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-sm text-dim">
          {ANNOUNCEMENT_LABELS[prefix.announcementType].detail}
          {prefix.originAsn !== null && `, origin ${formatAsn(prefix.originAsn)}`}; checked{' '}
          <Time at={prefix.checkedAt} none="not yet" />
        </p>
        <span className="flex flex-wrap items-center gap-2">
          {linked && (
            <Link to="/transit/prefixes/$id" params={{ id: prefix.id }} className="link text-sm">
              Open as a page
            </Link>
          )}
          <Button size="sm" icon="refresh" busy={recheck.busy} disabledReason={wait} onClick={() => void recheck.ask()}>
            Check again
          </Button>
          <Button
            size="sm"
            icon="edit"
            disabledReason={
              allowsLoa(prefix.status) ? null : 'Only a pending or approved prefix can have a letter of authorization.'
            }
            onClick={() => setSigns(true)}
          >
            Letter of authorization
          </Button>
          <Button
            size="sm"
            icon="trash"
            disabledReason={
              afterAction('withdraw', prefix.status) === null
                ? `You cannot withdraw this prefix while it is ${STATUS_LABELS[prefix.status]}.`
                : null
            }
            onClick={() => setWithdraws(true)}
          >
            Withdraw
          </Button>
        </span>
      </div>
      <Suspense>{signs && <SignLoa prefix={prefix} onClose={() => setSigns(false)} />}</Suspense>
      <WithdrawPrefix prefix={prefix} open={withdraws} onClose={() => setWithdraws(false)} />
    </div>
  )
}
