import type { OperationVariables, TypedDocumentNode } from '@apollo/client'
import { useQuery } from '@apollo/client/react'
import { useTransition } from 'react'

/**
 * Runs a GraphQL query that follows the typed text. While the next response loads, the old rows stay, and the outdated
 * query is canceled: a suspended one would run to its end.
 */
export function useList<Data, Variables extends OperationVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variables: NoInfer<Variables>,
) {
  const { data, previousData, error, fetchMore } = useQuery<Data, OperationVariables>(query, { variables })
  const [busy, start] = useTransition()
  if (error && !data) throw error
  const more = (after: string | null) => start(() => void fetchMore({ variables: { after } }))
  return { data: (data ?? previousData) as Data | undefined, answered: data !== undefined, busy, more }
}
