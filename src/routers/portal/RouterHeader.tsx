import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useScreenTitle } from '../../ui/runtime/title.ts'
import { Crumbs } from '../../ui/components/Crumbs.tsx'
import { PageHeader } from '../../ui/components/PageHeader.tsx'
import type { Router } from '../contract.ts'
import { RouterStateBadge } from './RouterStateBadge.tsx'

/** Where one is, which router it is and how it is doing: the same on all its screens. */
export function RouterHeader({ router, part, actions }: { router: Router; part?: string; actions: ReactNode }) {
  const title = part ? `${part} ${router.name}` : router.name
  // The route's own is as old as its loader: a rename, here or elsewhere, comes later.
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
