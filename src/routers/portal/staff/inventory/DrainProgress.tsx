import { Link } from '@tanstack/react-router'
import { Callout } from '../../../../ui/components/Callout.tsx'
import { Time } from '../../../../ui/components/Time.tsx'
import { UsageBar } from '../../../../ui/components/UsageBar.tsx'
import type { HypervisorDrain } from '../../../inventory/contract.ts'

/** Shows how far a drain is, its reason, and what a person has to do. */
export function DrainProgress({ drain: { hypervisor: host, began, routers } }: { drain: HypervisorDrain }) {
  const left = routers.length
  return (
    <div className="mb-4">
      <Callout tone={left === 0 ? 'ok' : 'warn'} title={left === 0 ? 'Drained' : 'Draining: no new routers'}>
        <p>
          {host.drainReason ?? 'No reason given.'}
          {host.drainedAt && (
            <span className="text-dim">
              {' '}
              · drained <Time at={host.drainedAt} />
            </span>
          )}
        </p>
        {began !== null && began > 0 && (
          <div className="mt-2 flex max-w-sm items-center gap-2">
            <div className="flex-1">
              <UsageBar used={(began - Math.min(left, began)) / began} label="Drained" />
            </div>
            <span className="num text-xs whitespace-nowrap text-dim">
              {left} of {began} left
            </span>
          </div>
        )}
        {left > 0 && (
          <p className="mt-2 text-dim">
            Existing routers keep running. Inform their owners with a{' '}
            <Link to="/admin/inventory/site-content" className="link">
              notice
            </Link>{' '}
            or contact them: they can order a router elsewhere and delete this one.
          </p>
        )}
      </Callout>
    </div>
  )
}
