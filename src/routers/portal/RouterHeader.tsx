import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon } from '../../portal/ui/Icon.tsx'
import { PageHeader } from '../../portal/ui/PageHeader.tsx'
import type { Router } from '../contract.ts'
import { RouterStateBadge } from './RouterStateBadge.tsx'

/** Where one is, which router it is and how it is doing: the same on all its screens. */
export function RouterHeader({ router, part, actions }: { router: Router; part?: string; actions: ReactNode }) {
  return (
    <PageHeader
      title={part ? `${part} ${router.name}` : router.name}
      above={
        <>
          <Link to="/" className="hover:text-ink hover:underline">
            Routers
          </Link>
          {part && (
            <>
              <Icon name="right" size={11} />
              <Link to="/routers/$id" params={{ id: router.id }} className="hover:text-ink hover:underline">
                {router.name}
              </Link>
            </>
          )}
        </>
      }
      status={<RouterStateBadge router={router} />}
      actions={actions}
    />
  )
}
