/** Selects a row, or all of them. With Shift, all rows from the last selected one. Escape clears the selection. */
export function RowCheckbox({
  label,
  checked,
  mixed = false,
  onToggle,
  onClear,
}: {
  label: string
  checked: boolean
  /** Some are selected, but not all. */
  mixed?: boolean
  onToggle: (event: unknown) => void
  onClear: () => void
}) {
  return (
    // The row's link covers the row, so the checkbox is placed above it.
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
