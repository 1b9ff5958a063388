import { Callout } from '../../../ui/components/Callout.tsx'
import type { TransitConnection } from '../../contract.ts'

/** Shown when the edge closes the sessions because of their key. That happens when a connection moves to another edge. */
export const UnsupportedKey = ({ connection: { enabled, hasPassword, edge } }: { connection: TransitConnection }) =>
  enabled &&
  hasPassword &&
  edge.lacks.includes('md5') && (
    <Callout tone="bad" title="Your sessions are closed: the edge does not support their MD5 key">
      Without the key anybody could open them. Remove the password under Sessions in IP Transit and on your router.
    </Callout>
  )
