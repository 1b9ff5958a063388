/**
 * What one operation may ask for. Checked on the parsed document, before validation spends time on it: depth with
 * fragments followed, aliases, and a cost in which every list counts for as many as it may return.
 */
import {
  GraphQLError,
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import type { Plugin } from 'graphql-yoga'

/** Our deepest screen, the hypervisor's, needs 5; the introspection query of tools needs 13 and is counted apart. */
const MAX_DEPTH = 10
const MAX_ALIASES = 30
const MAX_FIELDS = 1_000
const MAX_COST = 60_000
const MAX_TOKENS = 4_000
/** `first` when it is not given, and the most it may be; the resolvers hold the same numbers. */
export const PAGE_DEFAULT = 50
export const PAGE_MOST = 200

export const boundOperations = (): Plugin => ({
  onParse: ({ params }) => {
    params.options = { ...params.options, maxTokens: MAX_TOKENS }
    return ({ result, replaceParseResult }) => {
      if (!isDocument(result)) return
      const problem = findExcess(result)
      if (problem)
        replaceParseResult(
          new GraphQLError(problem, { extensions: { code: 'OPERATION_TOO_LARGE', http: { status: 400 } } }),
        )
    }
  },
})

const isDocument = (value: unknown): value is DocumentNode =>
  (value as { kind?: unknown } | null)?.kind === Kind.DOCUMENT

/** In words why the document asks for too much, or null. Also refuses fragments that contain themselves: measuring them would never end. */
export function findExcess(document: DocumentNode): string | null {
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
  if (operations.length > 1) return 'Send one operation a request.'
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  }
  const totals = { aliases: 0, fields: 0, cost: 0 }
  const open = new Set<string>()

  const visit = (set: SelectionSetNode, depth: number, multiplier: number): string | null => {
    for (const selection of set.selections) {
      const problem =
        selection.kind === Kind.FIELD
          ? visitField(selection, depth, multiplier)
          : selection.kind === Kind.INLINE_FRAGMENT
            ? visit(selection.selectionSet, depth, multiplier)
            : visitSpread(selection.name.value, depth, multiplier)
      if (problem) return problem
    }
    return null
  }
  const visitField = (field: FieldNode, depth: number, multiplier: number): string | null => {
    const name = field.name.value
    if (name === '__schema' || name === '__type') return null
    if (field.alias && ++totals.aliases > MAX_ALIASES) return `At most ${MAX_ALIASES} aliases.`
    if (++totals.fields > MAX_FIELDS) return `At most ${MAX_FIELDS} fields.`
    totals.cost += multiplier
    if (totals.cost > MAX_COST)
      return `The operation may return too much: ask for smaller pages (its cost is above ${MAX_COST}).`
    if (!field.selectionSet) return null
    if (depth >= MAX_DEPTH) return `At most ${MAX_DEPTH} levels deep.`
    return visit(field.selectionSet, depth + 1, multiplier * listSize(field))
  }
  const visitSpread = (name: string, depth: number, multiplier: number): string | null => {
    const fragment = fragments.get(name)
    if (!fragment) return null
    if (open.has(name)) return `Fragment "${name}" contains itself.`
    open.add(name)
    const problem = visit(fragment.selectionSet, depth, multiplier)
    open.delete(name)
    return problem
  }

  for (const operation of operations) {
    const problem = visit(operation.selectionSet, 1, 1)
    if (problem) return problem
  }
  return null
}

/** Connections carry `nodes`; what is below is asked for once for each of them. */
function listSize(field: FieldNode): number {
  const first = field.arguments?.find((argument) => argument.name.value === 'first')?.value
  if (first?.kind === Kind.INT) return Math.min(Math.max(Number(first.value), 1), PAGE_MOST)
  if (first) return PAGE_MOST
  return field.selectionSet?.selections.some((child) => child.kind === Kind.FIELD && child.name.value === 'nodes')
    ? PAGE_DEFAULT
    : 1
}
