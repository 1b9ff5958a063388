import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useScreenTitle } from '../../ui/runtime/title.ts'
import { Crumbs } from '../../ui/components/Crumbs.tsx'
import { PageHeader } from '../../ui/components/PageHeader.tsx'
import type { Router } from '../contract.ts'
import { RouterStateBadge } from './RouterStateBadge.tsx'

/** The breadcrumbs, name and state of a router: the same on all its pages. */
export function RouterHeader({ router, part, actions }: { router: Router; part?: string; actions: ReactNode }) {
  const title = part ? `${part} ${router.name}` : router.name
  // The route's own title is as old as its loader: it misses a later rename, here or elsewhere.
  useScreenTitle(title)
  return (
    <PageHeader
      title={title}
      above={
        <Crumbs>
          <Link to="/">Routers</Link>
          {part && (
            <Link to="/routers/$id" params={{ id: router.id }}>
              {router.name}
            </Link>
          )}
        </Crumbs>
      }
      status={<RouterStateBadge router={router} />}
      actions={actions}
    />
  )
}
