/** Reports the results of a run: a table for people, and JSON for later comparison. */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Machine } from './machine.ts'
import { median, ratioOf, type Measured } from './measure.ts'

export interface BenchResult {
  readonly bench: string
  /** Why nothing, or not everything, was measured. */
  readonly skipped: string | null
  readonly failed: string | null
  readonly load: { readonly before: number; readonly after: number }
  readonly measured: readonly Measured[]
}

export interface Run {
  readonly startedAt: string
  readonly machine: Machine
  readonly results: readonly BenchResult[]
}

const HEADINGS = ['', 'ours', 'peer', 'ratio', 'pairs from … to', 'load', 'the peer is']

export function formatTable(results: readonly BenchResult[]): string {
  const rows = results.flatMap(({ bench, measured, load }) =>
    measured.map((one) => {
      const ratio = ratioOf(one)
      return [
        `${bench}: ${one.name}`,
        formatFigure(median(one.ours), one.unit),
        one.theirs.length > 0 ? formatFigure(median(one.theirs), one.unit) : '',
        ratio ? `${formatRatio(ratio.median)} ×` : '',
        ratio ? `${formatRatio(ratio.lowest)} … ${formatRatio(ratio.highest)}` : '',
        `${load.before.toFixed(1)} → ${load.after.toFixed(1)}`,
        one.peer ?? 'none',
      ]
    }),
  )
  const table = [HEADINGS, ...rows]
  const widths = HEADINGS.map((_, column) => Math.max(...table.map((row) => row[column]!.length)))
  const isText = (column: number): boolean => column === 0 || column === HEADINGS.length - 1
  return table
    .map((row) =>
      row
        .map((cell, column) => (isText(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export async function writeResults(folder: string, run: Run): Promise<string> {
  await mkdir(folder, { recursive: true })
  const file = path.join(folder, `${run.startedAt.replaceAll(':', '-')}.json`)
  await writeFile(file, `${JSON.stringify(run, null, 2)}\n`)
  return file
}

function formatFigure(value: number, unit: Measured['unit']): string {
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0
  const number = value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return unit === 'per second' ? `${number}/s` : `${number} ${unit}`
}

const formatRatio = (ratio: number): string => ratio.toFixed(ratio < 10 ? 2 : 1)
