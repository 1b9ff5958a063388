import type { Quantity } from './quantity.ts'

/** A number and its unit. The unit is dimmer, because the eye compares numbers. */
export const Amount = ({ of: { number, unit } }: { of: Quantity }) => (
  <span className="num whitespace-nowrap">
    {number}
    {unit && <span className="text-faint"> {unit}</span>}
  </span>
)
