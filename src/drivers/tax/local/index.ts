/** A registry with fixed answers, for installations without Internet access and for demonstrations. */
import { TaxError, type VatRegistry } from '../index.ts'

export interface LocalVatRegistry extends VatRegistry {
  /** While unreachable, it answers nothing. */
  setUnreachable(unreachable: boolean): void
}

/** `holders`: by VAT id with its country code, as in NL123456789B01. Any other id is not valid. */
export function createLocalVatRegistry(holders: ReadonlyMap<string, string>): LocalVatRegistry {
  let unreachable = false
  let asked = 0
  return {
    kind: 'local',
    async check({ country, number }) {
      if (unreachable) throw new TaxError('unreachable', 'The VAT ID registry is unreachable.')
      const holder = holders.get(country + number)
      return { valid: holder !== undefined, holder: holder ?? null, consultation: `LOCAL${++asked}` }
    },
    setUnreachable(next) {
      unreachable = next
    },
    close: () => Promise.resolve(),
  }
}
