/** Nests prefixes by containment: a prefix is above its more specifics. */
import { containsPrefix, tryParsePrefix, type Prefix } from '../../kernel/prefix.ts'

export interface TreeNode<Row> {
  readonly row: Row
  readonly children: readonly TreeNode<Row>[]
}

interface Growing<Row> {
  readonly row: Row
  readonly prefix: Prefix
  readonly children: Growing<Row>[]
}

/** IPv4 before IPv6, each by address. Of two that begin alike the shorter comes first, so it is in the tree before the longer one. */
export function nestPrefixes<Row extends { readonly value: string }>(rows: readonly Row[]): readonly TreeNode<Row>[] {
  const nodes = rows
    .flatMap((row): Growing<Row>[] => {
      const prefix = tryParsePrefix(row.value)
      return prefix ? [{ row, prefix, children: [] }] : []
    })
    .toSorted(({ prefix: a }, { prefix: b }) =>
      a.family !== b.family
        ? a.family - b.family
        : a.network === b.network
          ? a.length - b.length
          : a.network < b.network
            ? -1
            : 1,
    )
  const roots: Growing<Row>[] = []
  const around: Growing<Row>[] = []
  for (const node of nodes) {
    while (around.length > 0 && !containsPrefix(around.at(-1)!.prefix, node.prefix)) around.pop()
    ;(around.at(-1)?.children ?? roots).push(node)
    around.push(node)
  }
  return roots
}

export interface TreeLine<Row> {
  readonly node: TreeNode<Row>
  readonly level: number
  /** Its position among its siblings, from 1, and their number. */
  readonly place: number
  readonly siblings: number
  readonly parent: string | null
}

/** Returns the visible lines while these are folded, from top to bottom. */
export function linesOf<Row extends { readonly value: string }>(
  nodes: readonly TreeNode<Row>[],
  folded: ReadonlySet<string>,
  level = 1,
  parent: string | null = null,
): readonly TreeLine<Row>[] {
  return nodes.flatMap((node, index) => [
    { node, level, place: index + 1, siblings: nodes.length, parent },
    ...(folded.has(node.row.value) ? [] : linesOf(node.children, folded, level + 1, node.row.value)),
  ])
}
