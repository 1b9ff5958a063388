/** Selects a row, or all of them. With Shift, all rows from the one selected before. Escape gives up what is selected. */
export function RowCheckbox({
  label,
  checked,
  mixed = false,
  onToggle,
  onClear,
}: {
  label: string
  checked: boolean
  /** Some are selected, and not all. */
  mixed?: boolean
  onToggle: (event: unknown) => void
  onClear: () => void
}) {
  return (
    // The link of the row covers the row: the checkbox lies above it.
    <label className="relative z-1 -my-1 grid h-8 w-8 place-items-center">
      <input
        ref={(input) => {
          if (input) input.indeterminate = mixed && !checked
        }}
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={onToggle}
        onKeyDown={(event) => event.key === 'Escape' && onClear()}
        className="size-4"
      />
    </label>
  )
}
