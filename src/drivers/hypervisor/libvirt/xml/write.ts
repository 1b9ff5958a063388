import { HypervisorError } from '../../index.ts'

/** XML that is already encoded. Only {@link xml} creates it, so plain text cannot be mistaken for it. */
export class Xml {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | Xml | readonly Xml[]

/**
 * Characters that XML 1.0 cannot contain, even escaped (section 2.2), and line breaks, which none of our values needs.
 */
// oxlint-disable-next-line no-control-regex -- finding control characters is the point
const INEXPRESSIBLE = /[\u0000-\u001f\u007f-\u009f\ufffe\uffff]|\p{Surrogate}/u

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** A template whose values become text or attribute values; nested `xml` is inserted unchanged. */
export function xml(strings: TemplateStringsArray, ...values: readonly Value[]): Xml {
  return new Xml(String.raw({ raw: strings }, ...values.map(encode)))
}

function encode(value: Value): string {
  if (value instanceof Xml) return value.text
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return escape(value)
  return value.map((part) => part.text).join('')
}

function escape(text: string): string {
  if (INEXPRESSIBLE.test(text))
    throw new HypervisorError('refused', `${JSON.stringify(text.slice(0, 60))} holds a character that XML cannot carry`)
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character]!)
}
