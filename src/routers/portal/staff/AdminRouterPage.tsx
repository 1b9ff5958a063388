import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMissingRoleReason } from '../../../ui/runtime/required-role.ts'
import { PageHeader, Section } from '../../../ui/components/PageHeader.tsx'
import { StaffSessionHistory } from '../../../transit/portal/staff/StaffSessionHistory.tsx'
import { RouterDetails } from '../RouterDetails.tsx'
import { RestoreRouter } from '../RestoreRouter.tsx'
import { RouterStateBadge } from '../RouterStateBadge.tsx'
import { SessionTable } from '../SessionTable.tsx'
import { AuditLogLink } from '../../../ui/staff/AuditLogLink.tsx'
import { routerWithOwner, staffRouters } from './api.ts'
import { Crumbs } from '../../../ui/components/Crumbs.tsx'
import { RouterEvents } from './RouterEvents.tsx'
import { RouterFailure } from './RouterFailure.tsx'
import { StaffRouterActions } from './StaffRouterActions.tsx'
import { RouterPlacement } from './RouterPlacement.tsx'
import { rereadStaff } from '../../../ui/staff/use-action.ts'

const route = getRouteApi('/_signed-in/admin/routers/$id')

export function AdminRouterPage() {
  const { id } = route.useParams()
  const { data: router } = useSuspenseQuery(routerWithOwner(id))
  const blockedReason = useMissingRoleReason('network')
  return (
    <>
      <PageHeader
        above={
          <Crumbs>
            <Link to="/admin/routers/">Routers</Link>
          </Crumbs>
        }
        title={router.name}
        status={<RouterStateBadge router={router} />}
        actions={
          <>
            {router.purgeAt !== null && (
              <RestoreRouter
                router={router}
                disabledReason={blockedReason}
                onRestore={async (name, submission) => {
                  const input = { params: { id }, body: { name } }
                  await staffRouters.call['POST /api/admin/virtual_machines/{id}/restore'](input, submission)
                  await rereadStaff()
                }}
              />
            )}
            <AuditLogLink search={{ subjectType: 'router', subjectId: router.id }} />
            <StaffRouterActions router={router} />
          </>
        }
      />
      <RouterFailure router={router} />
      <RouterPlacement router={router} />
      <Section title="Details">
        <RouterDetails router={router} />
      </Section>
      {router.sessions.length > 0 && (
        <Section title="BGP sessions">
          <SessionTable sessions={router.sessions} isRunning={router.state === 'RUNNING'} sentTo="router" />
        </Section>
      )}
      {router.sessions.length > 0 && <StaffSessionHistory userId={router.user.id} />}
      <Section title="Events" summary="Newest first, up to 50.">
        <RouterEvents events={router.events} />
      </Section>
    </>
  )
}
