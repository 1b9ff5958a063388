import type { ChargeDeps } from '../payments/charge-deps.ts'
import type { Revenue } from '../revenue/revenue.ts'

export interface StaffDeps extends ChargeDeps {
  readonly revenueOf: (currency: string) => Revenue
}
