import type { FieldMergeFunction, Reference } from '@apollo/client'

interface Pages {
  readonly nodes?: readonly Reference[]
  readonly pageInfo?: { readonly hasNextPage: boolean; readonly endCursor: string | null }
  readonly totalCount?: number
}

/**
 * Joins the pages of a list that is ordered by falling id. The first page read anew keeps the further pages that are
 * already on screen, so that news do not shorten what somebody is reading.
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
  const tail = last && incoming.pageInfo?.hasNextPage ? existing.nodes.filter((node) => idOf(node) < idOf(last)) : []
  if (tail.length === 0) return { ...existing, ...incoming }
  return {
    ...existing,
    ...incoming,
    nodes: [...incoming.nodes, ...tail],
    ...(existing.pageInfo && { pageInfo: existing.pageInfo }),
  }
}
