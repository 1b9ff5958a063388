/** Draws {@link TimeChart}, in a separate chunk with the library that quickly draws ten thousand points. */
import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { axisLabels } from './axis-labels.ts'
import type { TimeChartProps, TimeLevel, TimeSeries } from './TimeChart.tsx'

type CanvasProps = TimeChartProps &
  Required<Pick<TimeChartProps, 'onZoom'>> & { readonly onPoint: (index: number | null) => void }

const FONT = '11px Inter, system-ui, sans-serif'
const POWERS_OF_TWO = Array.from({ length: 50 }, (_, power) => 2 ** power)
/** The labels of the time scale, in the reader's zone or in UTC. */
const scaleOf = (zone: { timeZone?: 'UTC' }) => ({
  clock: new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', ...zone }),
  calendar: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...zone }),
})
const LOCAL = scaleOf({})
const UTC = scaleOf({ timeZone: 'UTC' })
const DAY_S = 86_400
/** Pixels; less is a click. */
const LEAST_DRAG = 8

export default function TimeChartCanvas(props: CanvasProps) {
  const { times, series, levels = NO_LEVELS, label, format } = props
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<UPlot>(null)
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })

  const kinds = series.map((one) => `${one.label} ${one.color}`).join()
  useEffect(() => {
    const element = place.current
    if (!element) return
    const chart = new UPlot(optionsFor(element, latest), [[]], element)
    plot.current = chart
    // The library's default gray is hard to see on a dark background.
    element.querySelector<HTMLElement>('.u-select')?.style.setProperty('background', 'var(--accent-soft)')
    const resized = new ResizeObserver(() => chart.setSize(sizeOf(element)))
    resized.observe(element)
    const forget = onThemeChange(() => chart.redraw(false))
    return () => {
      resized.disconnect()
      forget()
      chart.destroy()
    }
    // Only these draw the lines; their values follow below.
  }, [kinds])

  useEffect(() => {
    const seconds = times.map((time) => Date.parse(time) / 1000)
    plot.current?.setData([
      seconds,
      ...series.map(({ values, down }) => (down ? values.map((value) => value && -value) : [...values])),
    ])
  }, [times, series, levels, kinds])

  // A canvas cannot be an img element.
  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
  return <div ref={place} role="img" aria-label={describe(label, series, levels, format)} className="h-full" />
}

const sizeOf = ({ clientWidth, clientHeight }: HTMLElement) => ({ width: clientWidth, height: clientHeight })

const NO_LEVELS: readonly TimeLevel[] = []

function optionsFor(element: HTMLElement, latest: { readonly current: CanvasProps }): UPlot.Options {
  const { series, binary, utc, group } = latest.current
  const { clock, calendar } = utc ? UTC : LOCAL
  const hasDown = series.some(({ down }) => down)
  // Redrawn with the theme: a canvas ignores CSS variables.
  const color = (name: string) => () => resolveColor(element, name)
  const rule: UPlot.Axis = {
    stroke: color('--faint'),
    font: FONT,
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
  }
  return {
    ...sizeOf(element),
    padding: [6, 20, 0, 0],
    legend: { show: false },
    // Days begin here, and the scale is marked accordingly.
    ...(utc ? { tzDate: (seconds: number) => UPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC') } : {}),
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: false, dist: LEAST_DRAG },
      points: { size: 6 },
      ...(group === undefined ? {} : { sync: { key: group } }),
    },
    scales: {
      y: {
        range: (_, min, max) => {
          const levels = latest.current.levels ?? NO_LEVELS
          const top = Math.max(latest.current.leastTop, Math.max(max ?? 0, ...levels.map(({ value }) => value)) * 1.08)
          const deepest = Math.min(0, min ?? 0, ...(hasDown ? levels.map(({ value }) => -value) : []))
          return [hasDown ? Math.min(-latest.current.leastTop, deepest * 1.08) : 0, top]
        },
      },
    },
    axes: [
      {
        ...rule,
        size: 22,
        gap: 4,
        grid: { show: false },
        space: 60,
        values: (_, splits, __, ___, step) => splits.map((at) => (step >= DAY_S ? calendar : clock).format(at * 1000)),
      },
      {
        ...rule,
        size: widthOfLabels,
        gap: 6,
        space: 34,
        ...(binary ? { incrs: POWERS_OF_TWO } : {}),
        values: (_, splits) => [...axisLabels(splits, latest.current.format)],
      },
    ],
    series: [
      {},
      ...series.map((one) => ({
        label: one.label,
        stroke: color(`--${one.color}`),
        width: 1.5,
        // Dashes distinguish the second line without color, where its direction does not.
        ...(one.color === 'ok' && !one.down
          ? { dash: [4, 3] }
          : { fill: () => resolveColor(element, `--${one.color}-soft`), fillTo: 0 }),
        points: { show: false },
      })),
    ],
    hooks: {
      draw: [(chart) => drawLevels(chart, element, latest.current.levels ?? NO_LEVELS, hasDown)],
      setSelect: [(chart) => zoomTo(chart, latest.current.onZoom)],
      setCursor: [(chart) => latest.current.onPoint(chart.cursor.idx ?? null)],
    },
  }
}

/** As wide as its labels, so that the plot begins where its header does. */
function widthOfLabels({ ctx }: UPlot, labels: string[] | null): number {
  ctx.save()
  ctx.font = FONT
  const widest = Math.max(0, ...(labels ?? []).map((label) => ctx.measureText(label).width))
  ctx.restore()
  return Math.ceil(widest) + 8
}

/** Reports the selected time range. A click selects none. */
function zoomTo(chart: UPlot, onZoom: CanvasProps['onZoom']): void {
  const { left, width } = chart.select
  if (width < LEAST_DRAG) return
  const [from, to] = [left, left + width].map((at) => new Date(chart.posToVal(at, 'x') * 1000))
  // Without the hook: this change is not a new selection.
  chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
  onZoom({ from: from!, to: to! })
}

/** Dotted, unlike the dashes of a second line. Drawn in both directions where the values are. */
function drawLevels(chart: UPlot, element: HTMLElement, levels: readonly TimeLevel[], bothWays: boolean): void {
  const { ctx, bbox } = chart
  ctx.save()
  ctx.lineWidth = 1.5 * devicePixelRatio
  ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio])
  for (const { value, color } of levels.flatMap((level) =>
    bothWays ? [level, { ...level, value: -level.value }] : level,
  )) {
    const y = Math.round(chart.valToPos(value, 'y', true))
    ctx.strokeStyle = resolveColor(element, `--${color}`)
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
  }
  ctx.restore()
}

function resolveColor(element: HTMLElement, name: string): string {
  // With reduced motion, every change is a transition of zero length, which still begins with the old color.
  element.style.transitionProperty = 'none'
  element.style.color = `var(${name})`
  return getComputedStyle(element).color
}

/** Watches the chosen theme on the root element, and the system's preference. */
function onThemeChange(redraw: () => void): () => void {
  const chosen = new MutationObserver(redraw)
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', redraw)
  return () => {
    chosen.disconnect()
    system.removeEventListener('change', redraw)
  }
}

function describe(
  label: string,
  series: readonly TimeSeries[],
  levels: readonly TimeLevel[],
  format: TimeChartProps['format'],
): string {
  const text = (value: number) => Object.values(format(value)).join(' ').trimEnd()
  const words = series.map((one) => {
    const known = one.values.filter((value) => value !== null)
    return `${one.label}: latest ${text(known.at(-1) ?? 0)}, most ${text(Math.max(0, ...known))}`
  })
  const lines = levels.map((level) => `${level.label} at ${text(level.value)}`)
  return `${label} over time. ${[...words, ...lines].join('; ')}`
}
