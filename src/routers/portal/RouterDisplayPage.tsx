import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Callout } from '../../ui/components/Callout.tsx'
import { Skeleton } from '../../ui/components/Skeleton.tsx'
import { Tabs } from '../../ui/components/Tabs.tsx'
import type { RouterDetail } from '../contract.ts'
import { routerDetail } from './api.ts'
import { PowerActions } from './PowerActions.tsx'
import { RouterHeader } from './RouterHeader.tsx'
import { useConsoleBlockedReason } from './use-console-error.ts'

const SerialConsole = lazy(() => import('./SerialConsole.tsx'))
const DisplayConsole = lazy(() => import('./DisplayConsole.tsx'))
const route = getRouteApi('/_signed-in/_verified/routers/$id/display')

/** The consoles of a router. The serial one comes first: it can be scrolled, copied and pasted into. */
export function RouterDisplayPage() {
  const { id } = route.useParams()
  const { data: router } = useSuspenseQuery(routerDetail(id))
  const blockedReason = useConsoleBlockedReason()
  return (
    <>
      <RouterHeader router={router} part="Control" actions={<PowerActions router={router} />} />
      {blockedReason === null ? (
        <Consoles router={router} />
      ) : (
        <Callout tone="info" title="Consoles are not available">
          {blockedReason}
        </Callout>
      )}
    </>
  )
}

function Consoles({ router }: { router: RouterDetail }) {
  const { id } = router
  const place = <Skeleton className="h-[max(22rem,calc(100dvh-14rem))] w-full" />
  return (
    <Tabs
      label="Consoles"
      tabs={[
        {
          id: 'serial',
          label: 'Serial',
          content: (
            <Suspense fallback={place}>
              <SerialConsole key={id} router={router} />
            </Suspense>
          ),
        },
        {
          id: 'display',
          label: 'Display',
          content: (
            <Suspense fallback={place}>
              <DisplayConsole key={id} router={router} />
            </Suspense>
          ),
        },
      ]}
    />
  )
}
