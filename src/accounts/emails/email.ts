/** Renders an email from one description. Its text and its HTML say the same, and no value in it can become markup. */
import { COLORS } from '../../platform/pdf-colors.ts'

export interface EmailContent {
  readonly subject: string
  /** Plain text, one string per paragraph. */
  readonly paragraphs: readonly string[]
  /** The single action that the email asks for. */
  readonly action?: { readonly label: string; readonly url: string }
  /** Shown below the action: how long it is valid, and what to do if the reader did not request it. */
  readonly after?: readonly string[]
}

export interface EmailBody {
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface EmailHeader {
  readonly productName: string
  readonly supportEmail: string
  /** The operator's own text at the end of the email. */
  readonly footer?: string | null
}

export function composeEmail(head: EmailHeader, content: EmailContent): EmailBody {
  const { paragraphs, action, after = [] } = content
  const closing = `${head.productName} · ${head.supportEmail}`
  const footer = head.footer ?? null
  return {
    subject: content.subject,
    text: [
      ...paragraphs,
      ...(action ? [`${action.label}:\n${action.url}`] : []),
      ...after,
      `-- \n${[closing, footer].filter(Boolean).join('\n')}`,
    ].join('\n\n'),
    html: html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <title>${content.subject}</title>
        </head>
        <body
          style="margin:0;padding:32px 16px;background:${COLORS.ground};color:${COLORS.text};font:16px/1.5 Inter,system-ui,-apple-system,'Segoe UI',sans-serif"
        >
          <div
            style="max-width:32em;overflow-wrap:anywhere;margin:0 auto;padding:32px;background:#fff;border:1px solid ${COLORS.rule};border-radius:10px"
          >
            <p
              style="margin:0 0 24px;padding:0 0 20px;border-bottom:1px solid ${COLORS.rule};font-size:17px;font-weight:600"
            >
              ${MARK}${head.productName}
            </p>
            <h1 style="margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:600">${content.subject}</h1>
            ${paragraphs.map(paragraph)}
            ${
              action
                ? html`<p style="margin:24px 0">
                      <a
                        href="${action.url}"
                        style="display:inline-block;padding:12px 22px;background:${COLORS.accent};color:#fff;border-radius:6px;font-weight:600;text-decoration:none"
                        >${action.label}</a
                      >
                    </p>
                    <p style="margin:0 0 16px;font-size:13px;color:${COLORS.quiet}">
                      Or open this address: ${action.url}
                    </p>`
                : ''
            }
            ${after.map(paragraph)}
            <p style="margin:24px 0 0;font-size:13px;color:${COLORS.quiet}">${closing}</p>
            ${footer === null ? '' : html`<p style="margin:8px 0 0;font-size:13px;color:${COLORS.quiet};white-space:pre-line">${footer}</p>`}
          </div>
        </body>
      </html>`.toString(),
  }
}

const paragraph = (text: string): Markup => html`<p style="margin:0 0 16px">${text}</p>`

class Markup {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  toString(): string {
    return this.#text
  }
}

/** Escapes every value that is not markup already. */
function html(parts: TemplateStringsArray, ...values: readonly (string | Markup | readonly Markup[])[]): Markup {
  return new Markup(
    parts.reduce((text, part, index) => {
      const value = values[index - 1]!
      return text + (typeof value === 'string' ? escape(value) : [value].flat().join('\n')) + part
    }),
  )
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!)

/** The logo without an image, which most mail clients do not load: it is built from HTML elements. */
const MARK = html`<span
  style="display:inline-block;width:26px;height:26px;margin-right:10px;border-radius:7px;background:${COLORS.accent};color:#fff;font:600 17px/26px system-ui,sans-serif;text-align:center;vertical-align:middle"
  aria-hidden="true"
  >&#8599;</span
>`
