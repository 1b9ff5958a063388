/**
 * A line of RFC 4180, and nothing that a spreadsheet takes for a formula: some cells are customers' own words, and
 * somebody's accountant opens them.
 */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`

function cell(text: string): string {
  // A minus begins a formula unless all that follows is a number. The wide signs are formulas to spreadsheets in East Asia.
  const harmless = /^[=+@\t\r\n＝＋－＠]|^-(?!\d+(\.\d+)?$)/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
