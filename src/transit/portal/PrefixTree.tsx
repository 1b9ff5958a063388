import { useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { Icon } from '../../ui/components/Icon.tsx'
import { StatusBadge } from '../../ui/components/StatusBadge.tsx'
import type { TransitPrefix } from '../contract.ts'
import { prefixBadge } from './prefix-stages.tsx'
import { MorePrefixes } from './MorePrefixes.tsx'
import { linesOf, nestPrefixes, type TreeLine } from './prefix-tree.ts'

/** With more prefixes than this, all start folded. */
const FOLDED_FROM = 60
/** More at once are slow to draw, and more than anybody reads. */
const STEP = 100
const NONE: ReadonlySet<string> = new Set()

/**
 * Prefixes nested by containment, as a tree (WAI-ARIA 1.2). The arrow keys move, fold and unfold. Home and End go to
 * the ends. Enter opens a prefix in the list.
 */
export function PrefixTree({
  prefixes,
  onOpen,
}: {
  prefixes: readonly TransitPrefix[]
  onOpen: (prefix: TransitPrefix) => void
}) {
  const nodes = useMemo(() => nestPrefixes(prefixes), [prefixes])
  const [folded, setFolded] = useState<ReadonlySet<string>>(() =>
    prefixes.length > FOLDED_FROM ? new Set(prefixes.map(({ value }) => value)) : NONE,
  )
  const [most, setMost] = useState(STEP)
  const all = linesOf(nodes, folded)
  const lines = all.slice(0, most)
  const [current, setCurrent] = useState<string | null>(null)
  const tree = useRef<HTMLUListElement>(null)
  const at = Math.max(
    0,
    lines.findIndex(({ node }) => node.row.value === current),
  )

  const fold = (value: string, on: boolean) => {
    const next = new Set(folded)
    if (on) next.add(value)
    else next.delete(value)
    setFolded(next)
  }
  const moveTo = (index: number) => {
    const line = lines[Math.min(Math.max(index, 0), lines.length - 1)]
    if (!line) return
    setCurrent(line.node.row.value)
    tree.current?.querySelector<HTMLElement>(`[data-prefix="${line.node.row.value}"]`)?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const line = lines[at]
    if (!line || event.ctrlKey || event.metaKey || event.altKey) return
    const { value } = line.node.row
    const open = line.node.children.length > 0 && !folded.has(value)
    const shut = folded.has(value) && line.node.children.length > 0
    const act: (() => void) | undefined = {
      ArrowDown: () => moveTo(at + 1),
      ArrowUp: () => moveTo(at - 1),
      Home: () => moveTo(0),
      End: () => moveTo(lines.length - 1),
      ArrowRight: () => (shut ? fold(value, false) : open && moveTo(at + 1)),
      ArrowLeft: () => (open ? fold(value, true) : line.parent !== null && moveTo(indexOf(lines, line.parent))),
      Enter: () => onOpen(line.node.row),
      ' ': () => (open || shut) && fold(value, open),
    }[event.key]
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }

  return (
    <>
      <ul
        ref={tree}
        role="tree"
        aria-label="Prefixes by containment"
        onKeyDown={onKeyDown}
        className="divide-y divide-line rounded-md border border-line bg-surface"
      >
        {lines.map((line, index) => (
          <Item
            key={line.node.row.id}
            line={line}
            shut={folded.has(line.node.row.value)}
            current={index === at}
            onFocus={() => setCurrent(line.node.row.value)}
            onFold={() => fold(line.node.row.value, !folded.has(line.node.row.value))}
            onOpen={() => onOpen(line.node.row)}
          />
        ))}
      </ul>
      <MorePrefixes shown={lines.length} of={all.length} onMore={() => setMost(most + STEP)} />
    </>
  )
}

const indexOf = (lines: readonly TreeLine<TransitPrefix>[], value: string): number =>
  lines.findIndex(({ node }) => node.row.value === value)

function Item({
  line: { node, level, place, siblings },
  shut,
  current,
  onFocus,
  onFold,
  onOpen,
}: {
  line: TreeLine<TransitPrefix>
  shut: boolean
  current: boolean
  onFocus: () => void
  onFold: () => void
  onOpen: () => void
}) {
  const { row, children } = node
  const { tone, label } = prefixBadge(row)
  return (
    // The tree around it handles the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <li
      role="treeitem"
      data-prefix={row.value}
      aria-level={level}
      aria-posinset={place}
      aria-setsize={siblings}
      aria-expanded={children.length > 0 ? !shut : undefined}
      aria-selected={current}
      tabIndex={current ? 0 : -1}
      onFocus={onFocus}
      onClick={onOpen}
      className="flex min-h-9.5 items-center gap-2 py-1 pr-3 -outline-offset-2 hover:bg-hover pointer-coarse:min-h-11"
      style={{ paddingLeft: `${0.5 + (level - 1) * 1.25}rem` }}
    >
      {children.length > 0 ? (
        <span
          aria-hidden
          onClick={(event) => {
            event.stopPropagation()
            onFold()
          }}
          className="grid h-8 w-8 place-items-center text-faint"
        >
          <Icon name={shut ? 'right' : 'chevron'} size={14} />
        </span>
      ) : (
        <span className="w-8" />
      )}
      <span className="num font-mono font-semibold wrap-anywhere">{row.value}</span>
      {children.length > 0 && shut && <span className="num text-xs text-faint">{children.length} inside</span>}
      <span className="ml-auto">
        <StatusBadge tone={tone}>{label}</StatusBadge>
      </span>
    </li>
  )
}
