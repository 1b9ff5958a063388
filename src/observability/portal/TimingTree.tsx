import type { TimingNode } from '../request-log-entry.ts'
import { barDuration } from './bar-time.ts'

/** The steps of a request, nested by caller, each shown at its place within the whole. */
export const TimingTree = ({ root }: { root: TimingNode }) => (
  <ul>
    <TimingItem node={root} whole={Math.max(root.duration_milliseconds, 0.01)} depth={0} />
  </ul>
)

function TimingItem({ node, whole, depth }: { node: TimingNode; whole: number; depth: number }) {
  const from = (node.start_milliseconds / whole) * 100
  const width = Math.max((node.duration_milliseconds / whole) * 100, 0.5)
  return (
    <li>
      <div className="grid h-6 grid-cols-[minmax(8rem,18rem)_minmax(4rem,1fr)_4rem] items-center gap-3">
        <span className="truncate font-mono" style={{ paddingLeft: `${depth * 0.875}rem` }} title={node.name}>
          {node.name}
        </span>
        <span aria-hidden className="relative h-1.5 overflow-hidden rounded-full bg-line">
          <span
            className="absolute inset-y-0 rounded-full bg-accent-fill"
            style={{ left: `${Math.min(from, 99.5)}%`, width: `${width}%` }}
          />
        </span>
        <span className="num text-right">{barDuration(node.duration_milliseconds)}</span>
      </div>
      {node.children.length > 0 && (
        <ul>
          {node.children.map((child) => (
            <TimingItem key={child.id} node={child} whole={whole} depth={depth + 1} />
          ))}
        </ul>
      )}
    </li>
  )
}
