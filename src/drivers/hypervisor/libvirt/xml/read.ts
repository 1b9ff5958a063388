/**
 * A strict parser for the XML that libvirt prints: elements, attributes, text, comments. It rejects document types,
 * external entities and processing instructions, which libvirt never writes.
 */

export interface XmlElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  readonly text: string
}

interface OpenElement {
  name: string
  attributes: Map<string, string>
  children: XmlElement[]
  text: string
}

const DEPTH_LIMIT = 64
const TOKEN =
  /<!--[\s\S]*?-->|<\/([\w:.-]+)\s*>|<([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|[^<]+/y
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

export function readXml(source: string): XmlElement {
  const root: OpenElement = open('', '')
  const stack = [root]
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < source.length) {
    const at = TOKEN.lastIndex
    const [token, closes, opens, attributes, empty] = TOKEN.exec(source) ?? []
    const current = stack.at(-1)!
    if (token === undefined) throw new Error(`XML cannot be read at character ${at}`)
    if (opens !== undefined) {
      const element = open(opens, attributes ?? '')
      current.children.push(element)
      if (empty === '') stack.push(element)
      if (stack.length > DEPTH_LIMIT) throw new Error('XML is nested too deeply')
    } else if (closes !== undefined) {
      if (stack.length === 1 || current.name !== closes) throw new Error(`</${closes}> closes nothing`)
      stack.pop()
    } else if (!token.startsWith('<!--')) current.text += decode(token)
  }
  const [document] = root.children
  if (stack.length !== 1 || root.children.length !== 1 || document === undefined || root.text.trim() !== '')
    throw new Error('XML holds not exactly one whole element')
  return document
}

/** Returns the first element at the path, or undefined if a step is missing. */
export function find(element: XmlElement, ...path: readonly string[]): XmlElement | undefined {
  let current: XmlElement | undefined = element
  for (const name of path) current = current?.children.find((child) => child.name === name)
  return current
}

function open(name: string, attributes: string): OpenElement {
  const pairs = [...attributes.matchAll(ATTRIBUTE)]
  return {
    name,
    attributes: new Map(pairs.map(([, key, double, single]) => [key!, decode(double ?? single ?? '')])),
    children: [],
    text: '',
  }
}

function decode(text: string): string {
  return text.replace(/&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(\w+));/g, (whole, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
