import { useMemo } from 'react'
import { encode } from 'uqr'

/** Quiet zone of four modules (ISO/IEC 18004 section 5.3.8). Always dark on light: many scanners read nothing else. */
const QUIET = 4

export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, size } = useMemo(() => {
    const { data, size } = encode(text, { ecc: 'M', border: QUIET })
    return { size, path: data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('') }
  }, [text])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-49 rounded-md bg-white"
    >
      <path d={path} fill="#000" />
    </svg>
  )
}
