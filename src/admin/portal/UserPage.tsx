import { useSuspenseQuery } from '@apollo/client/react'
import { getRouteApi, Link, notFound } from '@tanstack/react-router'
import { PageHeader, Section } from '../../portal/ui/PageHeader.tsx'
import { StatusBadge } from '../../portal/ui/StatusBadge.tsx'
import { ActForUser } from './ActForUser.tsx'
import { TrailLink } from './audit/TrailLink.tsx'
import { Crumbs } from '../../portal/ui/Crumbs.tsx'
import { UserDetail } from './documents/users.ts'
import { fullName } from './person.ts'
import { UserFacts } from './UserFacts.tsx'
import { UserPrefixes } from './UserPrefixes.tsx'
import { UserRouters } from './UserRouters.tsx'
import { UserWebhooks } from '../../webhooks/portal/UserWebhooks.tsx'
import { UserTransit } from './UserTransit.tsx'

const route = getRouteApi('/_signed-in/admin/users/$id/')

export function UserPage() {
  const { id } = route.useParams()
  const { user } = useSuspenseQuery(UserDetail, { variables: { id } }).data
  if (!user) throw notFound()
  return (
    <>
      <PageHeader
        above={
          <Crumbs>
            <Link to="/admin/users/">Users</Link>
          </Crumbs>
        }
        title={fullName(user)}
        actions={
          <>
            <TrailLink search={{ user: user.databaseId }} />
            <ActForUser user={user} />
          </>
        }
        status={user.isAdmin && <StatusBadge tone="off">Staff</StatusBadge>}
      />
      <UserFacts user={user} />
      <UserTransit user={user} />
      <Section title="Prefixes">
        <UserPrefixes prefixes={user.ipTransit?.prefixes ?? []} />
      </Section>
      <Section title="Routers">
        <UserRouters routers={user.routers.nodes} />
      </Section>
      <UserWebhooks userId={user.databaseId} />
    </>
  )
}
