/** Handlers of `contract/support.ts`. */
import type { Handlers } from '../../platform/http/mount.ts'
import { createAutnumLookup } from '../asn/registry-lookup.ts'
import type { supportApi } from '../contract/support.ts'
import type { AccountsDeps } from '../deps.ts'
import { addNote, listNotes } from './notes.ts'
import { resendEmail } from './resend.ts'
import { endSessionsOf } from './end-sessions.ts'
import { liftSuspension, listSuspensions, suspendAccount } from './suspension.ts'

export function supportHandlers(deps: AccountsDeps): Handlers<typeof supportApi> {
  const { clock } = deps
  const fetchAutnum = createAutnumLookup(deps)
  return {
    'GET /api/admin/users/{id}/notes': ({ params, query }, { db }) => listNotes(db, params.id, query),
    'POST /api/admin/users/{id}/notes': ({ params, body }, { db, actor, principal }) =>
      addNote(db, actor, { userId: params.id, authorId: principal.userId, body: body.body, now: clock.now() }),
    'POST /api/admin/users/{id}/emails': async ({ params, body }, { db, actor, principal }) => ({
      to: await resendEmail(deps, db, fetchAutnum, {
        actor,
        principal,
        userId: params.id,
        email: body.email,
      }),
    }),
    'POST /api/admin/users/{id}/sessions/end': async ({ params, body }, { db, actor, principal }) => ({
      ended: await endSessionsOf(deps, db, { actor, principal }, params.id, body.reason),
    }),
    'GET /api/admin/users/{id}/suspensions': async ({ params }, { db }) => ({
      suspensions: await listSuspensions(db, params.id),
    }),
    'POST /api/admin/users/{id}/suspensions': async ({ params, body }, { db, actor, principal }) => {
      await suspendAccount(deps, db, { actor, principal }, params.id, body.reason)
      return { suspensions: await listSuspensions(db, params.id) }
    },
    'POST /api/admin/users/{id}/suspensions/lift': async ({ params, body }, { db, actor, principal }) => {
      await liftSuspension(deps, db, { actor, principal }, params.id, body.reason)
      return { suspensions: await listSuspensions(db, params.id) }
    },
  }
}
