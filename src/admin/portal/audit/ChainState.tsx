import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMissingRoleReason } from '../../../ui/runtime/required-role.ts'
import { HttpFailure } from '../../../ui/runtime/http-failure.ts'
import { queryClient } from '../../../ui/live/query-client.ts'
import { Button } from '../../../ui/components/Button.tsx'
import { Callout } from '../../../ui/components/Callout.tsx'
import { Copyable } from '../../../ui/components/Copyable.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { auditLog, verification, type AuditVerification } from './api.ts'

/** Shows whether the audit log is intact, up to which entry that was verified, and a button to verify it again. */
export function ChainState() {
  const { data } = useSuspenseQuery(verification())
  const blockedReason = useMissingRoleReason('owner')
  const [busy, setBusy] = useState(false)
  const { last, running } = data
  const verify = async () => {
    setBusy(true)
    try {
      const after = await auditLog.call['POST /api/admin/audit_verification']()
      queryClient.setQueryData(verification().queryKey, after)
    } catch (error) {
      // The API client has already shown an HTTP error.
      if (!(error instanceof HttpFailure)) throw error
    } finally {
      setBusy(false)
    }
  }
  return (
    <section aria-label="Audit log verification" className="mb-5 grid gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-line bg-surface px-3 py-2.5 text-sm">
        <VerificationResult state={data} />
        {running && running.total > 0 && (
          <p className="num flex items-center gap-2 text-dim">
            <progress aria-label="Entries verified" value={running.position} max={running.total} className="w-32" />
            {Math.min(running.position, running.total).toLocaleString('en')} of {running.total.toLocaleString('en')}
          </p>
        )}
        <div className="ml-auto">
          <Button
            size="sm"
            icon="refresh"
            busy={busy || running !== null}
            disabledReason={blockedReason}
            onClick={() => void verify()}
          >
            Verify now
          </Button>
        </div>
      </div>
      {last && last.faults.length > 0 && (
        <Callout tone="bad" title="Audit log integrity check failed" alert>
          <ul className="list-disc pl-5">
            {last.faults.map((fault) => (
              <li key={fault}>{fault}</li>
            ))}
          </ul>
        </Callout>
      )}
    </section>
  )
}

function VerificationResult({ state: { lines, last } }: { state: AuditVerification }) {
  if (!last) return <StatusBadge tone="unknown">Not verified yet</StatusBadge>
  if (last.faults.length > 0) return <StatusBadge tone="bad">Failed</StatusBadge>
  const since = Math.max(0, lines - last.upTo)
  return (
    <>
      <StatusBadge tone="ok">Verified</StatusBadge>
      <p className="num">
        {last.upTo.toLocaleString('en')} entries verified <Time at={last.finishedAt} />
        {since > 0 && <span className="text-faint">, {since.toLocaleString('en')} new</span>}
      </p>
      {last.hash && (
        <p className="flex min-w-0 items-center gap-1.5 text-faint">
          Head
          <Copyable value={`${last.upTo}:${last.hash}`} what="head of the chain">
            {last.hash.slice(0, 12)}…
          </Copyable>
        </p>
      )}
    </>
  )
}
