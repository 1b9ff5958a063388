import { useSuspenseQuery } from '@apollo/client/react'
import { getRouteApi, Link, notFound } from '@tanstack/react-router'
import { PageHeader, Section } from '../../ui/components/PageHeader.tsx'
import { StatusBadge } from '../../ui/components/StatusBadge.tsx'
import { IdentityGate } from '../../accounts/portal/proof/IdentityGate.tsx'
import { ImpersonateUser } from '../../accounts/portal/staff/ImpersonateUser.tsx'
import { AuditLogLink } from '../../ui/staff/AuditLogLink.tsx'
import { Crumbs } from '../../ui/components/Crumbs.tsx'
import { UserDetail } from '../../accounts/portal/staff/user-documents.ts'
import { fullName } from '../../accounts/portal/staff/user-name.ts'
import { UserDetails } from '../../accounts/portal/staff/UserDetails.tsx'
import { SupportActions } from '../../accounts/portal/staff/SupportActions.tsx'
import { FormerResets, ResetNotice } from '../../accounts/portal/staff/SecondFactorReset.tsx'
import { FormerSuspensions, SuspensionNotice } from '../../accounts/portal/staff/UserSuspension.tsx'
import { UserNotes } from '../../accounts/portal/staff/UserNotes.tsx'
import { UserPrefixes } from '../../transit/portal/staff/UserPrefixes.tsx'
import { UserRouters } from '../../routers/portal/staff/UserRouters.tsx'
import { UserQuota } from '../../transit/portal/staff/UserQuota.tsx'
import { UserWebhooks } from '../../webhooks/portal/UserWebhooks.tsx'
import { UserTransit } from '../../transit/portal/staff/UserTransit.tsx'

const route = getRouteApi('/_signed-in/admin/users/$id/')

export const UserPage = () => (
  <IdentityGate>
    <User />
  </IdentityGate>
)

function User() {
  const { id } = route.useParams()
  const { user } = useSuspenseQuery(UserDetail, { variables: { id } }).data
  if (!user) throw notFound()
  return (
    <>
      <PageHeader
        above={
          <Crumbs>
            <Link to="/admin/users/">Customers</Link>
          </Crumbs>
        }
        title={fullName(user)}
        actions={
          <>
            <AuditLogLink search={{ user: user.databaseId }} />
            <ImpersonateUser user={user} />
            <SupportActions user={user} />
          </>
        }
        status={user.isAdmin && <StatusBadge tone="off">Staff</StatusBadge>}
      />
      <SuspensionNotice user={user} />
      <ResetNotice user={user} />
      <UserDetails user={user} />
      <UserTransit user={user} />
      <UserQuota userId={user.databaseId} />
      <Section title="Prefixes">
        <UserPrefixes prefixes={user.ipTransit?.prefixes ?? []} />
      </Section>
      <Section title="Routers">
        <UserRouters routers={user.routers.nodes} />
      </Section>
      <UserWebhooks userId={user.databaseId} />
      <FormerSuspensions user={user} />
      <FormerResets user={user} />
      <UserNotes userId={user.databaseId} />
    </>
  )
}
