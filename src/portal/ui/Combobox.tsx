import { Combobox as Base } from '@base-ui/react/combobox'
import { useState } from 'react'
import { CONTROL, Field, type FieldProps } from './Field.tsx'
import { Icon } from './Icon.tsx'

export interface Item {
  readonly value: string
  readonly label: string
  readonly detail?: string
}

/** One of many, found by typing. For a handful, `SelectField` is better. Import it lazily: it brings its own machinery. */
export function ComboboxField({
  items,
  defaultValue,
  onChange,
  placeholder,
  ...field
}: FieldProps & {
  items: readonly Item[]
  defaultValue?: string
  onChange?: (value: string | null) => void
  placeholder?: string
}) {
  const [group, setGroup] = useState<HTMLElement | null>(null)
  const [chosen, setChosen] = useState<Item | null>(items.find((item) => item.value === defaultValue) ?? null)
  return (
    <Field {...field}>
      {({ name, onInput, ...wiring }) => (
        <Base.Root
          items={items}
          value={chosen}
          itemToStringLabel={(item: Item) => item.label}
          isItemEqualToValue={(a: Item, b: Item) => a.value === b.value}
          onValueChange={(item: Item | null) => {
            setChosen(item)
            onInput()
            onChange?.(item?.value ?? null)
          }}
        >
          <div ref={setGroup} className="relative">
            {/* While it is open its label is hidden with the rest of the page: the name has to be its own. */}
            <Base.Input {...wiring} aria-label={field.label} placeholder={placeholder} className={`${CONTROL} pr-8`} />
            <Base.Trigger
              aria-label="Show all"
              className="absolute inset-y-0 right-0 grid w-8 place-items-center text-dim"
            >
              <Icon name="chevron" size={14} />
            </Base.Trigger>
            <input type="hidden" name={name} value={chosen?.value ?? ''} />
          </div>
          <Base.Portal container={group && (group.closest('dialog') ?? document.body)}>
            <Base.Positioner sideOffset={4} className="z-50 outline-none">
              <Base.Popup className="w-(--anchor-width) rounded-md border border-line-strong bg-surface text-ink shadow-(--shadow)">
                <Base.Empty>
                  <p className="px-3 py-2.5 text-sm text-dim">Nothing matches.</p>
                </Base.Empty>
                <Base.List className="max-h-72 overflow-y-auto overscroll-contain p-1 outline-none data-empty:p-0">
                  {(item: Item) => (
                    <Base.Item
                      key={item.value}
                      value={item}
                      className="flex min-h-8 items-center gap-2 rounded-sm px-2.5 py-1 text-sm outline-none select-none data-highlighted:bg-hover pointer-coarse:min-h-11"
                    >
                      <span className="min-w-0 flex-1">
                        {item.label}
                        {item.detail && <span className="block text-xs text-faint">{item.detail}</span>}
                      </span>
                      <Base.ItemIndicator>
                        <Icon name="check" size={14} className="text-accent" />
                      </Base.ItemIndicator>
                    </Base.Item>
                  )}
                </Base.List>
              </Base.Popup>
            </Base.Positioner>
          </Base.Portal>
        </Base.Root>
      )}
    </Field>
  )
}
