import { CodeBlock } from '../../ui/components/CodeBlock.tsx'
import { Disclosure } from '../../ui/components/Disclosure.tsx'
import type { TransitConnection, TransitPrefix } from '../contract.ts'
import { configurations, readPeering } from './dialects/index.ts'

/** For customers who run software other than the image's on the router, or want to see what it does. */
export function RouterConfigurations({
  connection,
  prefixes,
}: {
  connection: TransitConnection
  prefixes: readonly TransitPrefix[]
}) {
  const peering = readPeering(connection, prefixes)
  if (!peering) return null
  return (
    <Disclosure title="Manual router configuration" hint="BIRD 2, FRR, OpenBGPD, RouterOS, VyOS">
      {() => (
        <>
          <p>
            Only needed if you configure your router by hand; our image configures itself. It announces approved
            prefixes only. Those for BIRD 2, FRR and OpenBGPD are tested with our edge; those for RouterOS and VyOS
            follow their manuals.
          </p>
          <CodeBlock label="Router configuration" snippets={configurations(peering)} />
        </>
      )}
    </Disclosure>
  )
}
