import { formatAsn } from '../../kernel/asn.ts'
import type { TransitPrefix } from '../contract.ts'

type Vrp = TransitPrefix['rpki']['vrps'][number]
type RouteObject = TransitPrefix['irr']['objects'][number]

/** The VRPs that cover a prefix, and which of them match it. */
export function VrpList({ vrps }: { vrps: readonly Vrp[] }) {
  if (vrps.length === 0) return null
  return (
    <Records label="Covering VRPs">
      {vrps.map((vrp) => (
        <Row
          key={`${vrp.prefix} ${vrp.maxLength} ${vrp.asn}`}
          cells={[vrp.prefix, `maxLength ${vrp.maxLength}`, formatAsn(vrp.asn)]}
          speaks={vrp.matched}
          statusText={vrp.matched ? 'matches' : 'does not match'}
        />
      ))}
    </Records>
  )
}

/** The route objects for a prefix and for the prefixes around it. */
export function RouteObjectList({ objects }: { objects: readonly RouteObject[] }) {
  if (objects.length === 0) return null
  return (
    <Records label="Route objects">
      {objects.map((object) => (
        <Row
          key={`${object.source} ${object.prefix} ${object.origin}`}
          cells={[object.prefix, formatAsn(object.origin), object.source]}
          note={object.authoritative ? null : 'not authoritative'}
          speaks={object.exact}
          statusText={object.exact ? 'exact' : 'covering only'}
        />
      ))}
    </Records>
  )
}

const Records = ({ label, children }: { label: string; children: React.ReactNode }) => (
  <div>
    <p className="mb-1 text-xs font-medium text-faint">{label}</p>
    <ul aria-label={label} className="divide-y divide-line overflow-hidden rounded-md border border-line bg-surface">
      {children}
    </ul>
  </div>
)

const Row = ({
  cells,
  note = null,
  speaks,
  statusText,
}: {
  cells: readonly string[]
  note?: string | null
  speaks: boolean
  statusText: string
}) => (
  <li className="flex flex-wrap items-baseline gap-x-4 px-2.5 py-1 text-sm">
    {cells.map((cell) => (
      <span key={cell} className="num font-mono text-ink">
        {cell}
      </span>
    ))}
    {note && <span className="text-xs text-warn">{note}</span>}
    <span className={`ml-auto text-xs ${speaks ? 'text-ok' : 'text-faint'}`}>{statusText}</span>
  </li>
)
