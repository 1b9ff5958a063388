/** Objects of the Routing Policy Specification Language (RFC 2622), as far as an IRR server reads them. */
import { parseAsn } from '../../src/kernel/asn.ts'
import { tryParsePrefix, type Prefix } from '../../src/kernel/prefix.ts'

export interface RpslObject {
  /** First attribute: `route`, `route6`, `as-set`, … */
  readonly kind: string
  readonly name: string
  readonly source: string
  readonly text: string
  /** For routes. */
  readonly prefix: Prefix | null
  readonly origin: number | null
  /** For sets. */
  readonly members: readonly string[]
  readonly membersByRef: readonly string[]
  readonly memberOf: readonly string[]
  readonly maintainers: readonly string[]
}

export function readRpsl(text: string): RpslObject[] {
  return text
    .split(/\n(?:[ \t]*\n)+/)
    .map((block) => block.split('\n').filter((line) => !/^[%#]/.test(line)))
    .filter((lines) => lines.some((line) => line.trim() !== ''))
    .map(readObject)
}

function readObject(lines: readonly string[]): RpslObject {
  const attributes: [name: string, value: string][] = []
  for (const line of lines) {
    const attribute = /^([a-z0-9-]+):\s*([^#]*)/i.exec(line)
    if (attribute) attributes.push([attribute[1]!.toLowerCase(), attribute[2]!.trim()])
    else if (/^[\s+]/.test(line) && attributes.length > 0) attributes.at(-1)![1] += ` ${line.slice(1).trim()}`
  }
  const [kind, name] = attributes[0] ?? ['', '']
  const all = (wanted: string) => attributes.filter(([key]) => key === wanted).map(([, value]) => value)
  const names = (wanted: string) =>
    all(wanted)
      .flatMap((value) => value.toUpperCase().split(/[\s,]+/))
      .filter(Boolean)
  return {
    kind,
    name: name.toUpperCase(),
    source: (all('source')[0] ?? '').toUpperCase(),
    text: `${lines.join('\n').trim()}\n`,
    prefix: /^route6?$/.test(kind) ? tryParsePrefix(name) : null,
    origin: parseAsn(all('origin')[0] ?? ''),
    members: [...names('members'), ...names('mp-members')],
    membersByRef: names('mbrs-by-ref'),
    memberOf: names('member-of'),
    maintainers: names('mnt-by'),
  }
}
