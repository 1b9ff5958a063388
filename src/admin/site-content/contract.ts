/** The operator's texts, and the endpoint for the notice. */
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { time } from '../../kernel/shapes.ts'

const line = (most: number) => z.string().trim().min(1, 'is required').max(most, `takes at most ${most} characters`)
const tone = z.enum(['info', 'warn'])
/** Allows only web links: `javascript:` in a link would run in the portal. */
const address = z
  .url({ protocol: /^https?$/, hostname: /./, error: 'takes an address that begins with https:// or http://' })
  .max(500, 'is too long')

const siteContent = z.object({
  /** Null means the address from the configuration, see `defaults`. */
  supportEmail: z.string().nullable(),
  /** Where ideas and bugs are reported; null means an email to the support address. */
  featureUrl: z.string().nullable(),
  /** Shown at sign-up. */
  termsUrl: z.string().nullable(),
  /** Shown below every email. */
  mailFooter: z.string().nullable(),
  /** In the footer of each invoice page, starting with the next invoice. */
  invoiceFooter: z.string().nullable(),
  /** Shown above every page to signed-in users, from `noticeFrom` to `noticeUntil`. */
  notice: z.string().nullable(),
  noticeTone: tone,
  noticeFrom: time.nullable(),
  noticeUntil: time.nullable(),
})

export const siteContentApi = defineApi({
  'GET /api/admin/site_content': {
    summary: "The operator's texts and their defaults",
    access: 'admin',
    ok: [200, siteContent.extend({ defaults: z.object({ supportEmail: z.string() }) })],
  },
  'PATCH /api/admin/site_content': {
    summary: "Change the operator's texts. Null restores the default",
    access: 'admin',
    requiredRole: 'owner',
    body: z.strictObject({
      supportEmail: z.email('takes an e-mail address').max(254).nullable().optional(),
      featureUrl: address.nullable().optional(),
      termsUrl: address.nullable().optional(),
      mailFooter: line(500).nullable().optional(),
      invoiceFooter: line(300).nullable().optional(),
      notice: line(500).nullable().optional(),
      noticeTone: tone.optional(),
      noticeFrom: time.nullable().optional(),
      noticeUntil: time.nullable().optional(),
    }),
    ok: [200, siteContent.extend({ defaults: z.object({ supportEmail: z.string() }) })],
  },
  'GET /api/notice': {
    summary: 'What the operator has to say to everybody at this moment, and to the caller of a suspended account',
    access: 'session',
    ok: [
      200,
      z.object({
        notice: z.object({ text: z.string(), tone }).nullable(),
        /** When the notice begins or ends, if known. The client asks again then. */
        changesAt: time.nullable(),
      }),
    ],
  },
})

export type SiteContentApi = typeof siteContentApi
export type SiteContent = z.output<typeof siteContent>
