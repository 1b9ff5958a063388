/** The registry of VAT ids. Whether an invoice may leave out tax hangs on its word, so no word is never taken for a yes. */

export interface VatId {
  /** As the registry writes it: Greece is EL, Northern Ireland XI. */
  readonly country: string
  readonly number: string
}

export interface VatAnswer {
  readonly valid: boolean
  /** The holder, if the member state publishes it. */
  readonly holder: string | null
  /** The registry's number of this consultation, which proves later that we asked; null when it gives none. */
  readonly consultation: string | null
}

export interface VatRegistry {
  readonly kind: 'vies' | 'local'
  /** Throws {@link TaxError} when there is no answer. */
  check(id: VatId, signal?: AbortSignal): Promise<VatAnswer>
  close(): Promise<void>
}

/** `unreachable`: nobody, or the member state, is there now; ask later. `protocol`: an answer that cannot be understood. */
export class TaxError extends Error {
  override readonly name = 'TaxError'
  readonly kind: 'unreachable' | 'protocol'
  constructor(kind: TaxError['kind'], message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.kind = kind
  }
}

/**
 * The shapes of VAT ids by country, without the country's letters, as VIES lists them among its questions and answers.
 * Check digits are left to the registry: to refuse a real id is worse than to ask about one that cannot be.
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
  // The first and the last may each be a letter or a digit, but not both a digit.
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

/** Null for what cannot be a VAT id of the European Union. Blanks, dots and dashes that people write do not count. */
export function parseVatId(text: string): VatId | null {
  const plain = text.toUpperCase().replaceAll(/[\s.-]/g, '')
  const country = plain.slice(0, 2) === 'GR' ? 'EL' : plain.slice(0, 2)
  const number = plain.slice(2)
  return SHAPES[country]?.test(number) ? { country, number } : null
}
