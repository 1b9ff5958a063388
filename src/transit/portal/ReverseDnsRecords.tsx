import { Time } from '../../ui/components/Time.tsx'
import { StatusBadge } from '../../ui/components/StatusBadge.tsx'
import type { TransitPrefix } from '../contract.ts'
import { DNSSEC_LABELS, REVERSE_DNS_BADGE } from './prefix-labels.ts'

type ReverseDns = NonNullable<TransitPrefix['reverseDns']>

/** Formats the records for a zone file. */
export const zoneFileOf = ({ value, records }: ReverseDns): string =>
  records.map(({ name }) => `${name}. 300 IN TXT "${value}"`).join('\n')

/** The result of the last lookup at each name. */
export function ReverseDnsRecords({ reverseDns: { records, checkedAt, nextCheckAt } }: { reverseDns: ReverseDns }) {
  return (
    <div className="grid gap-1.5 text-sm">
      {checkedAt !== null && (
        <ul aria-label="TXT records" className="grid gap-1">
          {records.map(({ name, state, dnssec, detail }) => (
            <li key={name} className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
              {state && (
                <StatusBadge tone={REVERSE_DNS_BADGE[state].tone}>{REVERSE_DNS_BADGE[state].label}</StatusBadge>
              )}
              <span className="font-mono text-xs break-all">{name}</span>
              {dnssec && <span className="text-dim">DNSSEC: {DNSSEC_LABELS[dnssec]}</span>}
              {detail && <span className="text-dim">{detail}</span>}
            </li>
          ))}
        </ul>
      )}
      <p className="text-dim">
        Checked <Time at={checkedAt} none="not yet" />
        {nextCheckAt !== null && (
          <>
            , next check <Time at={nextCheckAt} />
          </>
        )}
      </p>
    </div>
  )
}
