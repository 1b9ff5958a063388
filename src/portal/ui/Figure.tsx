/** A number with its name above it, for a `dl` that stands beside a heading. */
export const Figure = ({ label, amount }: { label: string; amount: string }) => (
  <div>
    <dt className="text-xs text-faint">{label}</dt>
    <dd className="num text-lg font-semibold">{amount}</dd>
  </div>
)
