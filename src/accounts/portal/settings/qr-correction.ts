/** Reed-Solomon codewords over GF(2^8) with 0x11d, as QR codes use them (ISO/IEC 18004 annex A). */
const EXP = new Uint8Array(255)
const LOG = new Uint8Array(256)
for (let power = 0, value = 1; power < 255; power++) {
  EXP[power] = value
  LOG[value] = power
  value = (value << 1) ^ (value >= 128 ? 0x11d : 0)
}

export const multiply = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : EXP[(LOG[a]! + LOG[b]!) % 255]!)

/** The product of (x - 2^i) for i below `degree`, without its leading 1. */
function generator(degree: number): number[] {
  let polynomial = [1]
  for (let i = 0; i < degree; i++) {
    const shifted = [...polynomial, 0]
    polynomial = shifted.map((term, index) => term ^ multiply(polynomial[index - 1] ?? 0, EXP[i]!))
  }
  return polynomial.slice(1)
}

export function correctionOf(block: readonly number[], degree: number): number[] {
  const divisor = generator(degree)
  let rest = Array.from({ length: degree }, () => 0)
  for (const byte of block) {
    const factor = byte ^ rest[0]!
    rest = divisor.map((term, index) => (rest[index + 1] ?? 0) ^ multiply(term, factor))
  }
  return rest
}
