import type { FieldMergeFunction, Reference } from '@apollo/client'

interface Pages {
  readonly nodes?: readonly Reference[]
  readonly pageInfo?: { readonly hasNextPage: boolean; readonly endCursor: string | null }
  readonly totalCount?: number
}

/**
 * Joins the pages of a list. A refetched first page keeps the further pages on screen, so that a change event does not
 * shorten a list while it is read.
 */
export const mergePages: FieldMergeFunction<Pages> = (existing, incoming, { args, readField }) => {
  if (!existing?.nodes || !incoming.nodes) return { ...existing, ...incoming }
  const idOf = (node: Reference) => readField<number>('databaseId', node) ?? 0
  if (args?.['after']) {
    const fresh = new Set(incoming.nodes.map(idOf))
    return {
      ...existing,
      ...incoming,
      nodes: [...existing.nodes.filter((node) => !fresh.has(idOf(node))), ...incoming.nodes],
    }
  }
  const last = incoming.nodes.at(-1)
  const at = last ? existing.nodes.findIndex((node) => idOf(node) === idOf(last)) : -1
  // The page before ends there too, unless its last row is new; without a sort, rows are ordered by descending id.
  const rest =
    at >= 0
      ? existing.nodes.slice(at + 1)
      : last && args?.['sort'] === undefined
        ? existing.nodes.filter((node) => idOf(node) < idOf(last))
        : []
  const fresh = new Set(incoming.nodes.map(idOf))
  const tail = incoming.pageInfo?.hasNextPage ? rest.filter((node) => !fresh.has(idOf(node))) : []
  if (tail.length === 0) return { ...existing, ...incoming }
  return {
    ...existing,
    ...incoming,
    nodes: [...incoming.nodes, ...tail],
    ...(existing.pageInfo && { pageInfo: existing.pageInfo }),
  }
}
