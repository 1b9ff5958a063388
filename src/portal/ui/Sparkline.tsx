/** The last hour at a glance, in the height of a line of text. The numbers stand beside it; it only shows their shape. */
export function Sparkline({
  values,
  label,
  width = 96,
  height = 22,
  max,
}: {
  values: readonly (number | null)[]
  /** What it shows, with its latest value: what a reader hears instead. */
  label: string
  width?: number
  height?: number
  /** The top of the scale; otherwise the largest value is. */
  max?: number
}) {
  const top = max ?? Math.max(...values.map((value) => value ?? 0), Number.EPSILON)
  const step = values.length > 1 ? width / (values.length - 1) : width
  const y = (value: number) => 1 + (height - 2) * (1 - Math.min(1, Math.max(0, value / top)))
  // A gap in the measurement is a gap in the line: nothing is drawn that nobody measured.
  const runs: string[][] = [[]]
  values.forEach((value, index) => {
    if (value === null) runs.push([])
    else runs.at(-1)?.push(`${(index * step).toFixed(1)},${y(value).toFixed(1)}`)
  })
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      className="shrink-0 overflow-visible text-accent"
    >
      <path d={`M0 ${height - 0.5}H${width}`} stroke="var(--line)" />
      {runs
        .filter((run) => run.length > 1)
        .map((run) => (
          <g key={run[0]}>
            <polygon
              points={`${run[0]?.split(',')[0]},${height} ${run.join(' ')} ${run.at(-1)?.split(',')[0]},${height}`}
              fill="currentColor"
              opacity="0.13"
            />
            <polyline
              points={run.join(' ')}
              fill="none"
              stroke="currentColor"
              strokeWidth="1.4"
              strokeLinejoin="round"
            />
          </g>
        ))}
    </svg>
  )
}
