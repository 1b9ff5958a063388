/**
 * Walks an operation as the executor would, and stops at the first exceeded limit: measuring must cost less than
 * running.
 */
import {
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'

/** Our deepest screen, the hypervisor's, needs 5. */
const MAX_DEPTH = 10
/** The introspection query of tools follows `ofType` nine times; its lists are bounded by a rule of graphql-js. */
const MAX_INTROSPECTION_DEPTH = 16
const MAX_ALIASES = 30
/** Also counts fragments, so that deeply nested empty ones end as well. */
const MAX_SELECTIONS = 1_000
/** Reading two hundred users in full, with their transit and routers, costs 105 000. */
const MAX_COST = 150_000
/** Lists without pages are naturally short: each belongs to one user. */
const UNPAGED_SIZE = 20
/** Nested ones multiply: a user's prefixes lead back to the user. */
const MAX_UNPAGED_NESTING = 2

export interface PageSizes {
  readonly usual: number
  readonly most: number
}

interface Place {
  readonly type: GraphQLNamedType | undefined
  readonly depth: number
  /** How often the selections here are read. */
  readonly times: number
  /** The page size of the connection that contains this: it has as many `nodes`. Null elsewhere. */
  readonly page: number | null
  readonly unpaged: number
  readonly introspects: boolean
}

/** Returns why the operation asks for too much, or null. */
export function measureOperation(
  operation: OperationDefinitionNode,
  document: DocumentNode,
  schema: GraphQLSchema,
  pages: PageSizes,
): string | null {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  }
  const totals = { aliases: 0, selections: 0, cost: 0 }
  const open = new Set<string>()

  const visit = (set: SelectionSetNode, place: Place): string | null => {
    for (const selection of set.selections) {
      if (++totals.selections > MAX_SELECTIONS) return `At most ${MAX_SELECTIONS} fields.`
      const problem =
        selection.kind === Kind.FIELD
          ? visitField(selection, place)
          : selection.kind === Kind.INLINE_FRAGMENT
            ? visit(selection.selectionSet, place)
            : visitSpread(selection.name.value, place)
      if (problem) return problem
    }
    return null
  }
  const visitField = (field: FieldNode, place: Place): string | null => {
    if (field.alias && ++totals.aliases > MAX_ALIASES) return `At most ${MAX_ALIASES} aliases.`
    totals.cost += place.times
    if (totals.cost > MAX_COST)
      return `The operation may return too much: ask for smaller pages (its cost is above ${MAX_COST}).`
    if (!field.selectionSet) return null
    const inside = enter(field, place, pages)
    const deepest = inside.introspects ? MAX_INTROSPECTION_DEPTH : MAX_DEPTH
    if (place.depth >= deepest) return `At most ${deepest} levels deep.`
    if (inside.unpaged > MAX_UNPAGED_NESTING)
      return `At most ${MAX_UNPAGED_NESTING} lists without pages inside each other.`
    return visit(field.selectionSet, inside)
  }
  const visitSpread = (name: string, place: Place): string | null => {
    const fragment = fragments.get(name)
    if (!fragment) return null
    if (open.has(name)) return `Fragment "${name}" contains itself.`
    open.add(name)
    const problem = visit(fragment.selectionSet, place)
    open.delete(name)
    return problem
  }

  return visit(operation.selectionSet, {
    type: schema.getRootType(operation.operation) ?? undefined,
    depth: 1,
    times: 1,
    page: null,
    unpaged: 0,
    introspects: false,
  })
}

function enter(field: FieldNode, place: Place, pages: PageSizes): Place {
  const name = field.name.value
  const inside = { ...place, depth: place.depth + 1 }
  if (place.introspects || name === '__schema' || name === '__type') {
    return { ...inside, type: undefined, introspects: true }
  }
  // Validation, which comes next, rejects a field that does not exist.
  const definition = isObjectType(place.type) ? place.type.getFields()[name] : undefined
  const type = definition && getNamedType(definition.type)
  const isPaged = definition?.args.some((argument) => argument.name === 'first') ?? false
  if (isPaged) return { ...inside, type, page: pageSize(field, pages) }
  const isList = definition ? isListType(getNullableType(definition.type)) : false
  if (!isList) return { ...inside, type, page: null }
  return place.page === null
    ? { ...inside, type, times: place.times * UNPAGED_SIZE, unpaged: place.unpaged + 1 }
    : { ...inside, type, times: place.times * place.page, page: null }
}

function pageSize(field: FieldNode, { usual, most }: PageSizes): number {
  const first = field.arguments?.find((argument) => argument.name.value === 'first')?.value
  if (!first) return usual
  // A variable may have any value up to the maximum.
  return first.kind === Kind.INT ? Math.min(Math.max(Number(first.value), 1), most) : most
}
