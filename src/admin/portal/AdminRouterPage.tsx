import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useDutyRefusal } from '../../portal/duty.ts'
import { PageHeader, Section } from '../../portal/ui/PageHeader.tsx'
import { RouterFacts } from '../../routers/portal/RouterFacts.tsx'
import { RestoreRouter } from '../../routers/portal/RestoreRouter.tsx'
import { RouterStateBadge } from '../../routers/portal/RouterStateBadge.tsx'
import { SessionTable } from '../../routers/portal/SessionTable.tsx'
import { TrailLink } from './audit/TrailLink.tsx'
import { routerWithOwner, staff } from './api.ts'
import { Crumbs } from '../../portal/ui/Crumbs.tsx'
import { fullName } from './person.ts'
import { RouterEvents } from './RouterEvents.tsx'
import { RouterFailure } from './routers/RouterFailure.tsx'
import { RouterPlacement } from './RouterPlacement.tsx'
import { rereadStaff } from './use-deed.ts'

const route = getRouteApi('/_signed-in/admin/routers/$id')

export function AdminRouterPage() {
  const { id } = route.useParams()
  const { data: router } = useSuspenseQuery(routerWithOwner(id))
  const refusal = useDutyRefusal('network')
  return (
    <>
      <PageHeader
        above={
          <Crumbs>
            <Link to="/admin/users/">Users</Link>
            <Link to="/admin/users/$id" params={{ id: router.user.id }}>
              {fullName(router.user)}
            </Link>
          </Crumbs>
        }
        title={router.name}
        status={<RouterStateBadge router={router} />}
        actions={
          <>
            {router.goneAt !== null && (
              <RestoreRouter
                router={router}
                disabledReason={refusal}
                onRestore={async (name, submission) => {
                  const input = { params: { id }, body: { name } }
                  await staff.call['POST /api/admin/virtual_machines/{id}/restore'](input, submission)
                  await rereadStaff()
                }}
              />
            )}
            <TrailLink search={{ subjectType: 'router', subjectId: router.id }} />
          </>
        }
      />
      <RouterFailure router={router} />
      <RouterPlacement router={router} />
      <Section title="Details">
        <RouterFacts router={router} />
      </Section>
      {router.sessions.length > 0 && (
        <Section title="BGP sessions">
          <SessionTable sessions={router.sessions} sentTo="router" />
        </Section>
      )}
      <Section title="Events" summary="Newest first, up to 50.">
        <RouterEvents events={router.events} />
      </Section>
    </>
  )
}
