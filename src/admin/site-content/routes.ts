import type { FastifyInstance } from 'fastify'
import { readStaffSuspension, type StaffSuspension } from '../../accounts/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { invalid } from '../../kernel/problem.ts'
import type { Db } from '../../platform/db/index.ts'
import { mount } from '../../platform/http/mount.ts'
import { updateSiteContent, noticeAt, readSiteContent, type SiteContentRow } from '../../platform/site-content.ts'
import { siteContentApi } from './contract.ts'

export interface SiteContentDeps {
  readonly db: Db
  readonly clock: Clock
  readonly supportEmail: string
}

export function siteContentRoutes(app: FastifyInstance, { db, clock, supportEmail }: SiteContentDeps): void {
  const defaults = { supportEmail }
  mount(
    app,
    siteContentApi,
    {
      'GET /api/admin/site_content': async (_, context) => ({ ...view(await readSiteContent(context.db)), defaults }),
      'PATCH /api/admin/site_content': async ({ body }, context) => {
        const after = await updateSiteContent(context.db, context.actor, {
          support_email: body.supportEmail,
          feature_url: body.featureUrl,
          terms_url: body.termsUrl,
          mail_footer: body.mailFooter,
          invoice_footer: body.invoiceFooter,
          notice: body.notice,
          notice_tone: body.noticeTone,
          notice_from: dateOf(body.noticeFrom),
          notice_until: dateOf(body.noticeUntil),
        }).catch(explainTimes)
        return { ...view(after), defaults }
      },
      'GET /api/notice': async (_, context) => {
        const siteContent = await readSiteContent(context.db)
        const now = clock.now()
        const text = noticeAt(siteContent, now)
        const suspension = await readStaffSuspension(context.db, context.principal.accountId)
        return {
          notice:
            suspension !== null
              ? {
                  text: [suspensionText(suspension, siteContent.support_email ?? supportEmail), text ?? []]
                    .flat()
                    .join('\n'),
                  tone: 'warn' as const,
                }
              : text === null
                ? null
                : { text, tone: siteContent.notice_tone },
          changesAt: (siteContent.notice === null ? null : nextChange(siteContent, now))?.toISOString() ?? null,
        }
      },
    },
    // The area of `GET /api/notice`. Staff endpoints require a staff scope wherever they are registered.
    { db, area: 'account' },
  )
}

/** Shown in the same place as the operator's notice, above every page, and loaded with the first one. */
const suspensionText = ({ reason }: StaffSuspension, contact: string): string =>
  `Our staff suspended your account. Reason: ${reason}\nYour routers are off and your prefixes withdrawn. Paying an invoice does not lift this: contact ${contact}.`

const dateOf = (text: string | null | undefined): Date | null | undefined => (text ? new Date(text) : (text as null))

const nextChange = ({ notice_from: from, notice_until: until }: SiteContentRow, now: Date): Date | null =>
  [from, until].find((at) => at !== null && at > now) ?? null

/** The database checks this, because one of the two times may have been set before. */
function explainTimes(error: unknown): never {
  if ((error as { constraint?: string }).constraint !== 'site_content_check') throw error
  throw invalid([{ field: 'noticeUntil', message: 'takes a time after its beginning' }])
}

const view = (row: SiteContentRow) => ({
  supportEmail: row.support_email,
  featureUrl: row.feature_url,
  termsUrl: row.terms_url,
  mailFooter: row.mail_footer,
  invoiceFooter: row.invoice_footer,
  notice: row.notice,
  noticeTone: row.notice_tone,
  noticeFrom: row.notice_from?.toISOString() ?? null,
  noticeUntil: row.notice_until?.toISOString() ?? null,
})
