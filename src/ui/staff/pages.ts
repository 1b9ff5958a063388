/** Lists that are loaded page by page. */
import { infiniteQueryOptions, type QueryFunctionContext } from '@tanstack/react-query'
import type { Topic } from '../../kernel/change-topics.ts'

/** Loads page after page by `next`; the query key is that of the first. */
export const pages = <Page extends { readonly next: number | null }>(
  ask: (from: number | undefined) => {
    readonly queryKey: readonly unknown[]
    readonly queryFn: (context: Pick<QueryFunctionContext, 'signal' | 'client' | 'queryKey'>) => Promise<Page>
    readonly meta: { readonly topics: readonly Topic[] }
  },
) =>
  infiniteQueryOptions({
    queryKey: [...ask(undefined).queryKey, 'pages'],
    queryFn: ({ pageParam, ...context }) => ask(pageParam).queryFn(context),
    meta: ask(undefined).meta,
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }: Page) => next ?? undefined,
  })

export const cursor = (name: 'before' | 'after', value: number | undefined) =>
  value === undefined ? {} : { [name]: value }
