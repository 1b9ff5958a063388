/**
 * Writes a line of RFC 4180 without anything that a spreadsheet reads as a formula. Some cells are customers' own text,
 * and an accountant opens the file.
 */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`

function cell(text: string): string {
  // A minus begins a formula unless only a number follows. East Asian spreadsheets also read the full-width signs as
  // formulas.
  const harmless = /^[=+@\t\r\n＝＋－＠]|^-(?!\d+(\.\d+)?$)/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
