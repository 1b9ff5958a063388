import type { OperationVariables, TypedDocumentNode } from '@apollo/client'
import { useQuery } from '@apollo/client/react'
import { useTransition } from 'react'

/**
 * A list over GraphQL whose question follows what is typed. While the next answer is on its way the rows before it stay,
 * and the question that was typed on is called off: a suspended one would run to its end.
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
