import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/components/Button.tsx'
import { Confirm } from '../../../ui/components/Confirm.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { notify } from '../../../ui/runtime/notifications.ts'
import type { Loa, TransitPrefix } from '../../contract.ts'
import { loasOf, transit } from '../api.ts'
import { LoaTable } from './LoaTable.tsx'

/** The letters of authorization for a prefix, on its page. */
export default function LoaSection({ prefix }: { prefix: TransitPrefix }) {
  const { data: loas } = useSuspenseQuery(loasOf(prefix.id))
  const queries = useQueryClient()
  const [revoked, setRevoked] = useState<Loa | null>(null)
  const revoke = async () => {
    const params = { id: prefix.id, loa: revoked!.id }
    await transit.call['DELETE /api/transit_prefixes/{id}/loas/{loa}']({ params })
    await queries.invalidateQueries({ queryKey: loasOf(prefix.id).queryKey })
    notify({ type: 'success', title: 'Letter revoked' })
  }
  return (
    <Section
      title="Letters of authorization"
      summary="Upstreams and Internet exchanges ask for one before they accept a prefix."
    >
      <LoaTable
        loas={loas}
        files={`/api/transit_prefixes/${prefix.id}/loas`}
        empty="Sign a letter to authorize us to announce this prefix."
        action={(loa) =>
          loa.state === 'REVOKED' ? null : (
            <Button size="sm" disabledReason={null} onClick={() => setRevoked(loa)}>
              Revoke
            </Button>
          )
        }
      />
      <Confirm
        open={revoked !== null}
        onClose={() => setRevoked(null)}
        title="Revoke this letter?"
        action="Revoke letter"
        danger
        consequences={[
          'Its verification page says that it is revoked. This can’t be undone.',
          'The prefix stays as it is. You can sign another letter.',
        ]}
        onConfirm={revoke}
      />
    </Section>
  )
}
