import { useSuspenseQuery } from '@tanstack/react-query'
import { PageHeader } from '../../portal/ui/PageHeader.tsx'
import { ownConnection, ownPrefixes } from './api.ts'
import { ConnectionSection } from './ConnectionSection.tsx'
import { PrefixSection } from './PrefixSection.tsx'

export function TransitPage() {
  const { data: connection } = useSuspenseQuery(ownConnection())
  const { data: prefixes } = useSuspenseQuery(ownPrefixes())
  return (
    <>
      <PageHeader title="IP Transit" />
      <ConnectionSection connection={connection} prefixes={prefixes} />
      <PrefixSection connection={connection} prefixes={prefixes} />
    </>
  )
}
