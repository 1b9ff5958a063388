/** Letters of five by seven dots, one row per group. */
const CHARS: Readonly<Record<string, string>> = {
  A: '.###. #...# #...# ##### #...# #...# #...#',
  D: '####. #...# #...# #...# #...# #...# ####.',
  E: '##### #.... #.... ####. #.... #.... #####',
  I: '.###. ..#.. ..#.. ..#.. ..#.. ..#.. .###.',
  L: '#.... #.... #.... #.... #.... #.... #####',
  M: '#...# ##.## #.#.# #.#.# #...# #...# #...#',
  S: '.#### #.... #.... .###. ....# ....# ####.',
  T: '##### ..#.. ..#.. ..#.. ..#.. ..#.. ..#..',
  U: '#...# #...# #...# #...# #...# #...# .###.',
}
const ADVANCE = 6
const ROWS = 7

/** One byte per pixel, 1 where text is drawn: the text is centered and as large as fits. */
export function paintText(text: string, width: number, height: number): Uint8Array {
  const pixels = new Uint8Array(width * height)
  const scale = Math.max(1, Math.floor(Math.min(width / ((text.length + 1) * ADVANCE), height / (ROWS * 2))))
  const left = Math.floor((width - text.length * ADVANCE * scale) / 2)
  const top = Math.floor((height - ROWS * scale) / 2)
  for (const [index, char] of text.split('').entries()) {
    for (const [row, dots] of (CHARS[char] ?? '').split(' ').entries()) {
      for (const [column, dot] of dots.split('').entries()) {
        if (dot !== '#') continue
        const x = left + (index * ADVANCE + column) * scale
        for (let y = top + row * scale; y < top + (row + 1) * scale; y += 1)
          pixels.fill(1, y * width + x, y * width + x + scale)
      }
    }
  }
  return pixels
}
