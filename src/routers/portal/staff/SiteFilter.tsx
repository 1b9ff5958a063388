import { Icon } from '../../../ui/components/Icon.tsx'

/** Narrows a list to one site. */
export const SiteFilter = ({
  label,
  all,
  options,
  chosen,
  onChoose,
}: {
  label: string
  /** The first choice, which does not narrow. */
  all: string
  options: readonly { readonly id: number; readonly name: string }[]
  chosen: number | undefined
  onChoose: (id: number | undefined) => void
}) => (
  <span className="relative inline-flex">
    <select
      aria-label={label}
      value={chosen ?? ''}
      onChange={(event) => onChoose(Number(event.target.value) || undefined)}
      className="h-8 max-w-48 appearance-none rounded-md border border-line-strong bg-surface pr-7 pl-2.5 text-sm hover:border-edge pointer-coarse:h-10"
    >
      <option value="">{all}</option>
      {options.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
    <Icon name="chevron" size={12} className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 text-dim" />
  </span>
)
