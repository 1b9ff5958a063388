import { Time } from '../../../ui/components/Time.tsx'
import type { AsnProofs } from '../../contract.ts'

/** When the registry was asked about a verified number, and when it will be. */
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
