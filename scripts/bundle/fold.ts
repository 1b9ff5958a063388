/** Folds facts into a program's text. Each must be met in it: one that was misspelt would only be a larger file. */
import type { Facts } from './react-dom-subset.ts'

export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}
type Any = Node & Readonly<Record<string, unknown>>

export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

export function foldFacts(code: string, program: Node, facts: Facts): string {
  if (!code.includes(`exports.version = "${facts.version}"`))
    throw new Error(`This is not React DOM ${facts.version}: read the facts of react-dom-subset.ts against it again.`)
  const edits: Edit[] = []
  const met = new Set<string>()
  const meet = (name: string, start: number, end: number, text: string): void => {
    met.add(name)
    edits.push({ start, end, text })
  }
  const statements = (program as Any)['body'] as Any[]
  for (const statement of statements) {
    if (statement.type === 'FunctionDeclaration') {
      const name = nameOf(statement['id'])
      const body = own(facts.bodies, name)
      if (body !== undefined) {
        const { start, end } = statement['body'] as Node
        meet(name, start, end, body)
      }
    }
    const { left, right } = (statement['expression'] ?? {}) as { left?: Any; right?: Any }
    const set = left && right ? code.slice(left.start, left.end) : ''
    const unread = facts.unread.find((beginning) => set.startsWith(beginning))
    // `A.prototype.render = B.prototype.render = …`: the other keeps it.
    if (unread !== undefined)
      meet(unread, statement.start, right!.type === 'AssignmentExpression' ? right!.start : statement.end, '')
  }
  walk(program as Any, (node, parent, key, scope) => {
    switch (node.type) {
      case 'Identifier': {
        const value = own(facts.constants, nameOf(node))
        if (value === undefined || isName(parent, key) || scope.shadowed.includes(nameOf(node))) return
        met.add(nameOf(node))
        if (parent?.type === 'AssignmentExpression' && key === 'left') {
          // What it would become is still worked out: it may do something else besides.
          const right = parent['right'] as Node
          edits.push(
            { start: node.start, end: right.start, text: '(' },
            { start: right.end, end: right.end, text: ')' },
          )
        } else edits.push({ start: node.start, end: node.end, text: value })
        return
      }
      case 'MemberExpression': {
        if (node['computed'] === true) return
        const written = code.slice(node.start, node.end)
        const name = [nameOf(node['property']), written].find((key) => own(facts.properties, key) !== undefined)
        if (name !== undefined) meet(name, node.start, node.end, facts.properties[name]!)
        return
      }
      case 'BinaryExpression': {
        const { left, right, operator } = node as unknown as { left: Any; right: Any; operator: string }
        const tag = left['value']
        if (typeof tag === 'number' && facts.tags.has(tag) && isTag(code, right) && /^[!=]==$/.test(operator))
          meet(`tag ${tag}`, node.start, node.end, operator === '===' ? '!1' : '!0')
        return
      }
      case 'SwitchStatement': {
        if (isTag(code, node['discriminant'] as Node))
          dropCases(node['cases'] as Any[], facts.tags, meet, (name) =>
            edits.push({ start: scope.start, end: scope.start, text: `var ${name};` }),
          )
        return
      }
    }
  })
  const wanted = [
    ...Object.keys(facts.constants),
    ...Object.keys(facts.properties),
    ...Object.keys(facts.bodies),
    ...[...facts.tags].map((tag) => `tag ${tag}`),
    ...facts.unread,
  ]
  const missed = wanted.filter((name) => !met.has(name))
  if (missed.length > 0) throw new Error(`React DOM has nothing called ${missed.join(', ')}.`)
  return applyEdits(code, edits)
}

/** A case of a tag that is never made: with what it does, where no other case falls into it. */
function dropCases(
  cases: readonly Any[],
  tags: ReadonlySet<number>,
  meet: (name: string, start: number, end: number, text: string) => void,
  declare: (name: string) => void,
): void {
  const bodyOf = (index: number): readonly Node[] => cases[index]!['consequent'] as Node[]
  const tagOf = (index: number): unknown => (cases[index]!['test'] as Any | null)?.['value']
  const isDropped = (index: number): boolean => typeof tagOf(index) === 'number' && tags.has(tagOf(index) as number)
  const isFallenInto = (index: number): boolean => {
    if (index === 0) return false
    if (bodyOf(index - 1).length > 0) return !ends(bodyOf(index - 1))
    return !isDropped(index - 1) || isFallenInto(index - 1)
  }
  cases.forEach(({ start, end }, index) => {
    if (!isDropped(index)) return
    const kept = isFallenInto(index) ? bodyOf(index)[0] : undefined
    // Other cases use what this one declares: a `var` is the whole function's.
    if (!kept) bodyOf(index).flatMap(declaredIn).forEach(declare)
    meet(`tag ${String(tagOf(index))}`, start, kept?.start ?? end, '')
  })
}

function declaredIn(statement: Node): string[] {
  const names: string[] = []
  walk(statement as Any, (node) => {
    if (node.type === 'VariableDeclarator') names.push(nameOf(node['id']))
  })
  return names
}

const ends = (body: readonly Node[]): boolean =>
  /^(Break|Return|Throw|Continue)Statement$/.test(body.at(-1)?.type ?? '')

/** Names such as `constructor` are no facts. */
const own = (facts: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(facts, name) ? facts[name] : undefined
const nameOf = (node: unknown): string => (node as { name?: string } | null)?.name ?? ''
const isTag = (code: string, { start, end }: Node): boolean => /(^|\.)tag$/i.test(code.slice(start, end))

/** Where an identifier only names something: a declaration, a property, a key. */
function isName(parent: Any | undefined, key: string): boolean {
  if (!parent) return false
  if (parent.type === 'MemberExpression') return key === 'property' && parent['computed'] !== true
  if (parent.type === 'VariableDeclarator') return key === 'id'
  return parent.type === 'Property' && key === 'key'
}

/** The function around a node: where its body begins, and the parameters that hide what is outside. */
interface Scope {
  readonly start: number
  readonly shadowed: readonly string[]
}
type Visit = (node: Any, parent: Any | undefined, key: string, scope: Scope) => void

function walk(node: Any, visit: Visit, parent?: Any, key = '', scope: Scope = { start: 0, shadowed: [] }): void {
  visit(node, parent, key, scope)
  const params = node['params']
  const within = Array.isArray(params)
    ? { start: (node['body'] as Node).start + 1, shadowed: [...scope.shadowed, ...params.map(nameOf)] }
    : scope
  for (const [name, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof child === 'object' && child !== null && 'type' in child)
        walk(child as Any, visit, node, name, name === 'id' ? scope : within)
    }
  }
}

/** Outer edits win over those inside them. Lines stay where they are, so that the map of the original still fits. */
export function applyEdits(code: string, edits: readonly Edit[]): string {
  let text = ''
  let at = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (edit.start < at) continue
    const gone = code.slice(edit.start, edit.end)
    text += code.slice(at, edit.start) + edit.text + '\n'.repeat(gone.split('\n').length - 1)
    at = edit.end
  }
  return text + code.slice(at)
}
