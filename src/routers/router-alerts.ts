/**
 * Emails a customer once when a router has been down for some minutes though it should run, and once when it runs
 * again. While its hypervisor is unreachable the state is unknown, so no email is sent.
 */
import { notify, type Sender } from '../accounts/index.ts'
import type { Clock } from '../kernel/clock.ts'
import { inTransaction, type Db } from '../platform/db/index.ts'
import type { Reconciler } from '../platform/reconcile.ts'
import type { RouterState } from './states.ts'
import { formatUtc } from '../kernel/utc.ts'

/** Longer than a boot under emulation, or a single crash. */
const DOWN_MS = 5 * 60_000
/** It must run this long, or this may be the next crash of a router that is started again and again. */
const UP_MS = 60_000

type Deps = Sender & { readonly db: Db; readonly clock: Clock }

export function routerAlertReconciler(deps: Deps): Reconciler {
  const { db } = deps
  return {
    name: 'router-alerts',
    everyMs: 15_000,
    concurrency: 1,
    wakes: () => null,
    async due() {
      const rows = await db
        .selectFrom('routers')
        .innerJoin('hypervisors', 'hypervisors.id', 'routers.hypervisor_id')
        .select('routers.id')
        .where('hypervisors.connected', '=', true)
        .where((eb) => eb.or([eb('trouble_since', 'is not', null), eb('state', 'in', IN_TROUBLE)]))
        .execute()
      return rows.map(({ id }) => id)
    },
    reconcile: (id) => inTransaction(db, (transaction) => look(deps, transaction, id)),
  }
}

async function look(deps: Deps, db: Db, id: number): Promise<void> {
  const now = deps.clock.now()
  const router = await db
    .selectFrom('routers')
    .select(['id', 'account_id', 'name', 'state', 'desired_state', 'failure', 'ready_at'])
    .select(['trouble_since', 'trouble_emailed_at'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!router) return
  const { trouble_since: since, trouble_emailed_at: emailedAt } = router
  const note = (values: { trouble_since: Date | null; trouble_emailed_at: Date | null }) =>
    db.updateTable('routers').set(values).where('id', '=', id).execute()

  if (IN_TROUBLE.includes(router.state)) {
    if (since === null) await note({ trouble_since: now, trouble_emailed_at: null })
    else if (emailedAt === null && now.getTime() - since.getTime() >= DOWN_MS) {
      await note({ trouble_since: since, trouble_emailed_at: now })
      await notify(db, deps, router.account_id, 'routers', downEmail({ ...router, since }))
    }
  } else if (since !== null) {
    const runs = router.state === 'RUNNING'
    if (runs && (router.ready_at === null || now.getTime() - router.ready_at.getTime() < UP_MS)) return
    // In transition: the state that it reaches counts.
    if (!runs && !ENDED.includes(router.state)) return
    await note({ trouble_since: null, trouble_emailed_at: null })
    if (runs && emailedAt !== null) await notify(db, deps, router.account_id, 'routers', backEmail(router))
  }
}

const IN_TROUBLE: readonly RouterState[] = ['FAILED', 'STARTING']
/** Its owner or the account wants it so: there is nothing left to report. */
const ENDED: readonly RouterState[] = ['STOPPED', 'SUSPENDED', 'DELETING']

interface Subject {
  readonly id: number
  readonly name: string
}

const view = ({ id }: Subject) => ({ label: 'View the router', path: `/routers/${id}` })

const downEmail = (router: Subject & { since: Date; failure: string | null }) => ({
  subject: `Router not running: ${router.name}`,
  paragraphs: [
    `Your router ${router.name} has not been running since ${formatUtc(router.since)}. ${router.failure ?? 'It is started again automatically.'}`,
    'While it does not run, no BGP session on it is up. You get one more email when it runs again.',
  ],
  action: view(router),
})

const backEmail = (router: Subject) => ({
  subject: `Router running again: ${router.name}`,
  paragraphs: [`Your router ${router.name} runs again.`],
  action: view(router),
})
