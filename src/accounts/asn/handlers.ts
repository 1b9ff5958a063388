/** Handlers of `contract/asn.ts`. */
import type { Handlers } from '../../platform/http/mount.ts'
import { readAsnProofs } from './proofs.ts'
import { draftAsnVerification, sendAsnVerificationTo, verifyAsn } from './verification.ts'
import { beginTokenProof, checkTokenProof } from './remark-proof.ts'
import type { asnApi } from '../contract/asn.ts'
import type { AccountsDeps } from '../deps.ts'
import { beginPeeringDbProof, completePeeringDbProof } from './peeringdb-proof.ts'
import { createAutnumLookup } from './registry-lookup.ts'
import { accountOf } from '../owner.ts'
import { requireBrowser } from '../second-factor/step-up.ts'

export function asnHandlers(deps: AccountsDeps): Handlers<typeof asnApi> {
  const fetchAutnum = createAutnumLookup(deps)
  return {
    'GET /api/user/asn_proofs': (_, { db, principal }) => readAsnProofs(deps, db, principal.accountId),
    'POST /api/user/asn_proofs/autnum_token': async (_, { db, actor, principal }) => {
      await beginTokenProof(deps, db, actor, principal)
      return readAsnProofs(deps, db, principal.accountId)
    },
    'POST /api/user/asn_proofs/autnum_token/check': async (_, { db, actor, principal }) => {
      await checkTokenProof(deps, actor, principal.accountId)
      return readAsnProofs(deps, db, principal.accountId)
    },
    'POST /api/user/asn_proofs/peeringdb': (_, { principal }) => {
      requireBrowser(principal)
      return beginPeeringDbProof(deps, principal)
    },
    'PUT /api/user/asn_proofs/peeringdb': async ({ body }, { db, actor, principal }) => {
      requireBrowser(principal)
      await completePeeringDbProof(deps, actor, principal, body)
      return readAsnProofs(deps, db, principal.accountId)
    },

    'GET /api/admin/users/{id}/asn_verifications/new': async ({ params }, { db, principal }) =>
      draftAsnVerification(deps, db, fetchAutnum, principal, await accountOf(db, params.id)),
    'POST /api/admin/users/{id}/asn_verifications': async ({ params, body }, { db, actor, principal }) =>
      sendAsnVerificationTo(deps, db, fetchAutnum, {
        actor,
        principal,
        accountId: await accountOf(db, params.id),
        email: body.email,
      }),
    'POST /api/verify/asn': ({ body }, context) => verifyAsn(deps, context.db, context, body.token),
  }
}
