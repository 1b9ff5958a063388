/** React's packages are CommonJS, of which a bundler keeps everything. As modules, what nobody imports is left out. */
import { applyEdits, type Edit, type Node } from './fold.ts'

const REQUIRES = /^var (?:\w+ = require\("[^"]+"\)(?:,\s*)?)+;?$/
const EXPORT = /\bexports\.(\w+)/g
const ASSIGNED = /\bexports\.(\w+) =(?!=)/g

export function toEsm(code: string, program: Node, absent: readonly string[] = []): string {
  const edits: Edit[] = []
  const once = new Map<string, boolean>()
  for (const [, name] of code.matchAll(ASSIGNED)) once.set(name!, !once.has(name!))
  for (const { start, end } of (program as Node & { readonly body: readonly Node[] }).body) {
    const statement = code.slice(start, end)
    if (REQUIRES.test(statement)) {
      const imports = [...statement.matchAll(/(\w+) = require\("([^"]+)"\)/g)]
      edits.push({ start, end, text: imports.map(([, name, from]) => `import * as ${name} from "${from}";`).join('') })
    }
    const name = /^exports\.(\w+) =/.exec(statement)?.[1]
    // Only a constant can be told to be unused.
    if (name !== undefined && once.get(name)) edits.push({ start, end: start, text: 'const ' })
  }
  const names = [...once.keys()]
  const missed = absent.filter((name) => !once.has(name))
  if (missed.length > 0) throw new Error(`React has no ${missed.join(', ')} to leave out.`)
  const offered = names.filter((name) => !absent.includes(name))
  const several = names.filter((name) => !once.get(name))
  return [
    applyEdits(code, edits).replaceAll(EXPORT, 'exported_$1'),
    ...several.map((name) => `var exported_${name};`),
    `export { ${offered.map((name) => `exported_${name} as ${name}`).join(', ')} };`,
  ].join('\n')
}
