/**
 * Limits of one GraphQL operation, checked on the parsed document before validation spends time on it. They limit the
 * depth with fragments followed, the aliases, and a cost in which every list counts for as many rows as it may return.
 */
import { GraphQLError, Kind, type DocumentNode, type GraphQLSchema } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { measureOperation } from './measure.ts'

/** The introspection query of tools has about 700 tokens, our longest document 300. */
const MAX_TOKENS = 4_000
/** `operationName` picks the one that runs; programs keep a few in one document. */
const MAX_OPERATIONS = 10
/** The default and the maximum of `first`; the resolvers use the same numbers. */
export const PAGE_DEFAULT = 50
export const PAGE_MOST = 200

export const boundOperations = (schema: GraphQLSchema): Plugin => ({
  onParse: ({ params }) => {
    params.options = { ...params.options, maxTokens: MAX_TOKENS }
    return ({ result, replaceParseResult }) => {
      if (!isDocument(result)) return
      const problem = findExcess(result, schema)
      if (problem)
        replaceParseResult(
          new GraphQLError(problem, { extensions: { code: 'OPERATION_TOO_LARGE', http: { status: 400 } } }),
        )
    }
  },
})

const isDocument = (value: unknown): value is DocumentNode =>
  (value as { kind?: unknown } | null)?.kind === Kind.DOCUMENT

/**
 * Returns why the document asks for too much, or null. Also rejects fragments that contain themselves: measuring them
 * would never end.
 */
export function findExcess(document: DocumentNode, schema: GraphQLSchema): string | null {
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
  if (operations.length > MAX_OPERATIONS) return `At most ${MAX_OPERATIONS} operations.`
  const pages = { usual: PAGE_DEFAULT, most: PAGE_MOST }
  return operations.reduce<string | null>(
    (problem, operation) => problem ?? measureOperation(operation, document, schema, pages),
    null,
  )
}
