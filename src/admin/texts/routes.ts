import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../kernel/clock.ts'
import { invalid } from '../../kernel/problem.ts'
import type { Db } from '../../platform/db/index.ts'
import { mount } from '../../platform/http/mount.ts'
import { changeTexts, noticeAt, readTexts, type OperatorTexts } from '../../platform/operator-texts.ts'
import { textsApi } from './contract.ts'

export interface TextsDeps {
  readonly db: Db
  readonly clock: Clock
  readonly supportEmail: string
}

export function textsRoutes(app: FastifyInstance, { db, clock, supportEmail }: TextsDeps): void {
  const defaults = { supportEmail }
  mount(
    app,
    textsApi,
    {
      'GET /api/admin/texts': async (_, context) => ({ ...view(await readTexts(context.db)), defaults }),
      'PATCH /api/admin/texts': async ({ body }, context) => {
        const after = await changeTexts(context.db, context.actor, {
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
        const texts = await readTexts(context.db)
        const now = clock.now()
        const text = noticeAt(texts, now)
        return {
          notice: text === null ? null : { text, tone: texts.notice_tone },
          changesAt: (texts.notice === null ? null : nextChange(texts, now))?.toISOString() ?? null,
        }
      },
    },
    // The staff's calls need the staff's scope wherever they stand.
    { db, area: 'account' },
  )
}

const dateOf = (text: string | null | undefined): Date | null | undefined => (text ? new Date(text) : (text as null))

const nextChange = ({ notice_from: from, notice_until: until }: OperatorTexts, now: Date): Date | null =>
  [from, until].find((at) => at !== null && at > now) ?? null

/** The table's own rule: one of the two may have been set before. */
function explainTimes(error: unknown): never {
  if ((error as { constraint?: string }).constraint !== 'operator_texts_check') throw error
  throw invalid([{ field: 'noticeUntil', message: 'takes a time after its beginning' }])
}

const view = (row: OperatorTexts) => ({
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
