/** Marks a missing value. A phone's list leaves out the whole line. */
export const EmptyValue = () => (
  <span data-absent className="text-faint">
    —
  </span>
)
