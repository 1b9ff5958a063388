import { useId } from 'react'
import type { Tone } from '../../ui/components/StatusBadge.tsx'
import { Time } from '../../ui/components/Time.tsx'
import type { Topology, TopologyLink, TopologyNode } from './topology-hops.ts'

const STROKE: Readonly<Record<Tone, string>> = {
  ok: 'text-ok',
  busy: 'text-accent',
  waiting: 'text-accent',
  warn: 'text-warn',
  bad: 'text-bad',
  off: 'text-faint',
  unknown: 'text-faint',
}

const BOX = { width: 190, height: 74 }
/** The gaps between two boxes, side by side and one below the other. */
const GAP = { across: 190, down: 58 }

/** The hops side by side, or below each other on narrow screens. A list says the same to screen readers. */
export function TopologyPicture({ topology, label }: { topology: Topology; label: string }) {
  const heading = useId()
  const { nodes, links, failure } = topology
  return (
    <figure aria-labelledby={heading} className="@container rounded-md border border-line bg-surface p-3">
      <figcaption id={heading} className="sr-only">
        {label}
      </figcaption>
      <ol className="sr-only">
        {nodes.map((node, at) => (
          <li key={node.kind}>
            {node.name}, {node.detail}: {node.state}
            {links[at]?.map((link) => `; to ${nodes[at + 1]?.name}: ${phraseOf(link)}`)}
          </li>
        ))}
      </ol>
      <Drawing topology={topology} vertical={false} className="mx-auto w-full @max-list:hidden" />
      <Drawing topology={topology} vertical className="mx-auto w-full @list:hidden" />
      {failure && (
        <p className={`mt-2 text-sm ${STROKE[failure.tone]}`}>
          <span className="font-medium">{failure.hop}:</span>{' '}
          {failure.lost && (
            <>
              {failure.lost.what} for <Time at={failure.lost.since} as="since" />.{' '}
            </>
          )}
          {failure.reason}
        </p>
      )}
    </figure>
  )
}

function Drawing({ topology, vertical, className }: { topology: Topology; vertical: boolean; className: string }) {
  const { nodes, links } = topology
  const step = vertical ? BOX.height + GAP.down : BOX.width + GAP.across
  const length = step * (nodes.length - 1) + (vertical ? BOX.height : BOX.width)
  const width = vertical ? 352 : length + 2
  const height = vertical ? length + 2 : BOX.height + 2
  const left = vertical ? (width - BOX.width) / 2 : 1
  return (
    <svg viewBox={`0 0 ${width} ${height}`} aria-hidden className={className} style={{ maxWidth: width }}>
      {nodes.map((node, at) => (
        <g
          key={node.kind}
          transform={vertical ? `translate(${left} ${1 + at * step})` : `translate(${1 + at * step} 1)`}
        >
          <Box node={node} />
        </g>
      ))}
      {links.map((parallel, at) =>
        parallel.map((link, index) => {
          const offset = (index - (parallel.length - 1) / 2) * (vertical ? 90 : 34)
          const from = at * step + (vertical ? BOX.height : BOX.width) + 1
          return (
            <Line
              key={link.label}
              link={link}
              vertical={vertical}
              x={vertical ? width / 2 + offset : from}
              y={vertical ? from : BOX.height / 2 + 1 + offset}
            />
          )
        }),
      )}
    </svg>
  )
}

/** Cuts the text to about as many letters as fit. */
const short = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text)

function Box({ node }: { node: TopologyNode }) {
  const fails = node.tone === 'bad'
  return (
    <>
      <rect
        width={BOX.width}
        height={BOX.height}
        rx={6}
        className={fails ? 'text-bad' : 'text-faint'}
        style={{ fill: 'var(--sunken)' }}
        stroke="currentColor"
        strokeWidth={fails ? 1.5 : 1}
      />
      <text x={14} y={25} fontSize={14} fontWeight={600} fill="currentColor">
        {short(node.name, 22)}
      </text>
      <text x={14} y={43} fontSize={12} className="text-dim" fill="currentColor">
        {short(node.detail, 27)}
      </text>
      <g className={STROKE[node.tone]}>
        <Mark tone={node.tone} x={18} y={58} />
        <text x={28} y={62} fontSize={12} fontWeight={500} fill="currentColor">
          {short(node.state, 24)}
        </text>
      </g>
    </>
  )
}

function Line({ link, vertical, x, y }: { link: TopologyLink; vertical: boolean; x: number; y: number }) {
  const length = vertical ? GAP.down : GAP.across
  const [dx, dy] = vertical ? [0, length] : [length, 0]
  const whole = link.tone === 'ok' || link.tone === 'busy' || link.tone === 'warn'
  return (
    <g className={STROKE[link.tone]}>
      <line
        x1={x}
        y1={y}
        x2={x + dx}
        y2={y + dy}
        stroke="currentColor"
        strokeWidth={2}
        strokeDasharray={whole ? undefined : '5 4'}
      />
      {link.tone === 'bad' && <Mark tone="bad" x={x + dx / 2} y={y + dy / 2} scale={1.4} />}
      <text
        x={vertical ? x + 8 : x + length / 2}
        y={vertical ? y + length / 2 - 3 : y - (link.tone === 'bad' ? 10 : 6)}
        textAnchor={vertical ? 'start' : 'middle'}
        fontSize={11.5}
        fontWeight={500}
        fill="currentColor"
      >
        {vertical ? link.label : phraseOf(link)}
      </text>
      {vertical && (
        <text x={x + 8} y={y + length / 2 + 11} fontSize={11.5} fill="currentColor">
          {lowerFirst(link.state)}
        </text>
      )}
    </g>
  )
}

/** BGP states of RFC 4271 keep their case. */
const lowerFirst = (text: string): string =>
  /^[A-Z][a-z ]+$/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text

const phraseOf = ({ label, state }: TopologyLink): string => `${label} ${lowerFirst(state)}`

/** A separate shape for healthy, for failing, and for neither. */
function Mark({ tone, x, y, scale = 1 }: { tone: Tone; x: number; y: number; scale?: number }) {
  return (
    <g transform={`translate(${x} ${y}) scale(${scale})`} stroke="currentColor" strokeWidth={1.8} fill="none">
      {tone === 'ok' ? (
        <circle r={3.6} fill="currentColor" stroke="none" />
      ) : tone === 'bad' ? (
        <path d="M-4-4 4 4M4-4-4 4" strokeLinecap="round" />
      ) : tone === 'warn' ? (
        <path d="M0-4.4 4.4 3.6h-8.8z" fill="currentColor" stroke="none" />
      ) : (
        <circle r={3.2} strokeWidth={1.5} />
      )}
    </g>
  )
}
