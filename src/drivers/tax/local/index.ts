/** A registry that knows what it was told: for installations without the Internet, and for demonstrations. */
import { TaxError, type VatRegistry } from '../index.ts'

export interface LocalVatRegistry extends VatRegistry {
  /** While away it answers nobody. */
  setUnreachable(unreachable: boolean): void
}

/** `holders`: by VAT id with its country, as in NL123456789B01. Any other id is not valid. */
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
