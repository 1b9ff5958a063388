/** The registry of VAT ids. It decides whether an invoice may omit tax, so a missing answer never counts as valid. */

export interface VatId {
  /** As the registry writes it: Greece is EL, Northern Ireland XI. */
  readonly country: string
  readonly number: string
}

export interface VatAnswer {
  readonly valid: boolean
  /** The holder, if the member state publishes it. */
  readonly holder: string | null
  /** The registry's number for this consultation, which later proves that we asked; null if it gives none. */
  readonly consultation: string | null
}

export interface VatRegistry {
  readonly kind: 'vies' | 'local'
  /** Throws {@link TaxError} if there is no answer. */
  check(id: VatId, signal?: AbortSignal): Promise<VatAnswer>
  close(): Promise<void>
}

/** `unreachable`: the registry or the member state is down; ask later. `protocol`: the answer cannot be understood. */
export class TaxError extends Error {
  override readonly name = 'TaxError'
  readonly kind: 'unreachable' | 'protocol'
  constructor(kind: TaxError['kind'], message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.kind = kind
  }
}

/**
 * The shapes of VAT ids by country, without the country code, as VIES lists them in its FAQ. The registry checks check
 * digits: rejecting a real id is worse than asking about an impossible one.
 */
const SHAPES: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  // The first and the last character may each be a letter or a digit, but not both digits.
  ES: /^(?!\d{9}$)[0-9A-Z]\d{7}[0-9A-Z]$/,
  FI: /^\d{8}$/,
  FR: /^[0-9A-HJ-NP-Z]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W])$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
}

/** Returns null if the text cannot be a VAT id of the European Union. It ignores blanks, dots and dashes. */
export function parseVatId(text: string): VatId | null {
  const plain = text.toUpperCase().replaceAll(/[\s.-]/g, '')
  const country = plain.slice(0, 2) === 'GR' ? 'EL' : plain.slice(0, 2)
  const number = plain.slice(2)
  return SHAPES[country]?.test(number) ? { country, number } : null
}
