/** Reads the text on each page of one of our PDFs: its position, and the characters that copying gives. */
import { inflateSync } from 'node:zlib'

export interface TextFragment {
  readonly x: number
  readonly y: number
  /** In visual order, left to right. */
  readonly text: string
  readonly face: string
}

export function pagesOf(pdf: Buffer): TextFragment[][] {
  const file = pdf.toString('latin1')
  const objects = new Map(
    [...file.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)].map(([, number, body]) => [Number(number), body!]),
  )
  const streamOf = (body: string) => {
    const stream = /stream\n([\s\S]*?)\nendstream/.exec(body)
    if (!stream) return ''
    return /FlateDecode/.test(body) ? inflateSync(Buffer.from(stream[1]!, 'latin1')).toString('latin1') : stream[1]!
  }
  const faces = new Map<string, Map<string, string>>()
  for (const [, face, number] of file.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const unicode = /\/ToUnicode (\d+) 0 R/.exec(objects.get(Number(number)) ?? '')
    if (unicode) faces.set(face!, charsOf(streamOf(objects.get(Number(unicode[1]))!)))
  }
  return [...objects.values()]
    .filter((body) => /\/Type \/Page\n/.test(body))
    .map((body) => splitText(streamOf(objects.get(Number(/\/Contents (\d+) 0 R/.exec(body)![1]))!), faces))
}

function splitText(content: string, faces: ReadonlyMap<string, ReadonlyMap<string, string>>): TextFragment[] {
  const fragments = content.matchAll(/1 0 0 1 (\S+) (\S+) Tm\n\/(F\d+) \S+ Tf[\s\S]*?ET/g)
  return [...fragments].map(([shown, x, y, face]) => {
    const codes = [...shown.matchAll(/<([0-9a-f]*)>/g)].map(([, hex]) => hex).join('')
    const chars = faces.get(face!)
    const text = chars
      ? codes.replaceAll(/.{4}/g, (code) => chars.get(code) ?? `(no letter for ${code})`)
      : Buffer.from(codes, 'hex').toString('latin1')
    return { x: Number(x), y: Number(y), text, face: face! }
  })
}

/** Parses a ToUnicode map from glyphs to characters. */
function charsOf(map: string): Map<string, string> {
  const chars = new Map<string, string>()
  for (const [, from, list] of map.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[(.*?)\]/g)) {
    const texts = [...list!.matchAll(/<([0-9a-f ]*)>/g)]
    for (const [index, [, hex]] of texts.entries()) {
      const code = (parseInt(from!, 16) + index).toString(16).padStart(4, '0')
      chars.set(code, Buffer.from(hex!.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'))
    }
  }
  return chars
}
