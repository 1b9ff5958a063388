import { Time } from '../../../ui/components/Time.tsx'
import type { AsnProofs } from '../../contract.ts'

/** Shows when the registry was last asked about a verified ASN, and when it will be asked next. */
export function RegistryTimes({ proofs: { checkedAt, nextCheckAt } }: { proofs: AsnProofs }) {
  if (!nextCheckAt) return null
  return (
    <p className="text-xs text-faint">
      {checkedAt ? (
        <>
          Registry checked <Time at={checkedAt} />, next check <Time at={nextCheckAt} />
        </>
      ) : (
        <>
          Registry check due <Time at={nextCheckAt} />
        </>
      )}
    </p>
  )
}
