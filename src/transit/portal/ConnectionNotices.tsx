import { Link } from '@tanstack/react-router'
import { Callout } from '../../portal/ui/Callout.tsx'
import { stateWord } from '../../routers/portal/router-state-look.ts'
import type { TransitConnection } from '../contract.ts'

/** What keeps the connection from working, the first thing to do first. */
export function ConnectionNotices({ connection }: { connection: TransitConnection }) {
  if (connection.edge.error) {
    return (
      <Callout tone="warn" title="The edge does not run what is wanted yet">
        {connection.edge.error}
      </Callout>
    )
  }
  if (connection.router === null) {
    return (
      <Callout tone="info" title="No router carries this connection">
        Choose one below: both BGP sessions are then configured on it and on our edge, within seconds.{' '}
        <Link to="/routers/new" className="link">
          Create a router
        </Link>{' '}
        if you have none.
      </Callout>
    )
  }
  if (connection.router.state !== 'RUNNING') {
    return (
      <Callout tone="warn" title={`${connection.router.name} is ${stateWord(connection.router.state)}`}>
        Its sessions come up when it runs.{' '}
        <Link to="/routers/$id" params={{ id: connection.router.id }} className="link">
          See the router
        </Link>
      </Callout>
    )
  }
  return null
}
