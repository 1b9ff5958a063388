import type { Quantity } from './quantity.ts'

const DECIMALS = /\.(\d+)/
/** The decimals at the end of a number, if it has any, and what follows them, such as the K of thousands. */
const ENDING = /(?:\.(\d+))?(\D*)$/

/** Labels the marks of one scale alike: in the unit of the highest, with the same number of decimals. */
export function axisLabels(
  marks: readonly number[],
  format: (value: number, like: number) => Quantity,
): readonly string[] {
  const highest = Math.max(0, ...marks.map(Math.abs))
  const quantities = marks.map((mark) => format(Math.abs(mark), highest))
  const decimals = quantities.map(({ number }) => DECIMALS.exec(number)?.[1] ?? '')
  const places = decimals.some((digits) => Number(digits) > 0) ? Math.max(...decimals.map(({ length }) => length)) : 0
  return quantities.map(({ number, unit }, index) => {
    if (marks[index] === 0) return '0'
    const alike = number.replace(ENDING, (_, digits: string = '', rest: string) =>
      places > 0 ? `.${digits.padEnd(places, '0')}${rest}` : rest,
    )
    return `${alike} ${unit}`.trimEnd()
  })
}
