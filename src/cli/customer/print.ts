/** Prints responses for people and for programs. */
import { formatUtc } from '../../kernel/utc.ts'
import type { Terminal } from '../command.ts'

export type Cell = string | number | null

/** Formats columns no wider than necessary. A missing value is a dash, so that no column shifts. */
export function table(header: readonly string[], rows: readonly (readonly Cell[])[]): string[] {
  const lines = [header, ...rows.map((row) => row.map((cell) => String(cell ?? '-') || '-'))]
  const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
}

export function printDetails(items: readonly (readonly [label: string, value: Cell])[]): string[] {
  const width = Math.max(...items.map(([label]) => label.length))
  return items.map(([label, value]) => `${label.padEnd(width)}  ${value ?? '-'}`)
}

/** With `--json`, prints the API's response unchanged, else lines for people. */
export function print({ say }: Terminal, json: boolean, answer: unknown, lines: () => readonly string[]): void {
  if (json) say(JSON.stringify(answer, null, 2))
  else for (const line of lines()) say(line)
}

export const when = (at: string | null): string | null => at && formatUtc(at)
export const day = (at: string | null): string | null => at && at.slice(0, 10)
