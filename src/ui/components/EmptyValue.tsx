/** There is none. In a phone's list the whole line of such a fact is left out. */
export const EmptyValue = () => (
  <span data-absent className="text-faint">
    —
  </span>
)
