import { Time } from '../../../portal/ui/Time.tsx'
import type { AsnProofs } from '../../contract.ts'

/** When the registry was asked about a verified number, and when it will be. */
export function RegistryTimes({ proofs: { checkedAt, nextCheckAt } }: { proofs: AsnProofs }) {
  if (!nextCheckAt) return null
  return (
    <p className="text-xs text-faint">
      {checkedAt ? (
        <>
          Registry asked <Time at={checkedAt} />, again <Time at={nextCheckAt} />
        </>
      ) : (
        <>
          Registry to be asked <Time at={nextCheckAt} />
        </>
      )}
    </p>
  )
}
