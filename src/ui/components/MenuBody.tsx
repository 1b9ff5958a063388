import { Menu as Base } from '@base-ui/react/menu'
import { useState } from 'react'
import { useReadOnlyReason } from './change-denial.ts'
import { Icon } from './Icon.tsx'
import { MENU_BUTTON, MenuTrigger } from './Menu.tsx'
import type { MenuEntry, MenuProps } from './menu-entries.ts'

const ITEM =
  'flex min-h-8 items-start gap-2.5 rounded-sm px-2.5 py-1.5 text-sm outline-none select-none data-highlighted:bg-hover data-disabled:text-faint pointer-coarse:min-h-11 pointer-coarse:items-center'

export default function MenuBody({ label, entries, text }: MenuProps) {
  const [trigger, setTrigger] = useState<HTMLElement | null>(null)
  return (
    <Base.Root defaultOpen modal={false}>
      <Base.Trigger ref={setTrigger} aria-label={label} className={MENU_BUTTON(text)}>
        <MenuTrigger text={text} />
      </Base.Trigger>
      {/* A modal dialog makes everything outside it inert, so the menu has to be inside. */}
      <Base.Portal container={trigger && (trigger.closest('dialog') ?? document.body)}>
        <Base.Positioner sideOffset={4} align="end" className="z-50 outline-none">
          <Base.Popup className="max-w-80 min-w-44 rounded-md border border-line-strong bg-surface p-1 text-ink shadow-(--shadow) outline-none">
            {entries.map((entry) => (
              <MenuItem key={entry.label} entry={entry} />
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

function MenuItem({ entry }: { entry: MenuEntry }) {
  return (
    <>
      {entry.apart && <Base.Separator className="mx-1 my-1 h-px bg-line" />}
      {entry.checked !== undefined ? <Choice entry={entry} checked={entry.checked} /> : <Action entry={entry} />}
    </>
  )
}

const Choice = ({ entry, checked }: { entry: MenuEntry; checked: boolean }) => (
  <Base.CheckboxItem
    checked={checked}
    onCheckedChange={entry.onSelect}
    closeOnClick={false}
    label={entry.label}
    className={ITEM}
  >
    <span className="mt-[3px] w-[15px]">{checked && <Icon name="check" size={15} />}</span>
    {entry.label}
  </Base.CheckboxItem>
)

function Action({ entry }: { entry: MenuEntry }) {
  const nothingChanges = useReadOnlyReason()
  const blockedReason = (entry.changes === false ? null : nothingChanges) ?? entry.disabledReason
  const disabled = Boolean(blockedReason)
  return (
    <Base.Item
      disabled={disabled}
      label={entry.label}
      onClick={entry.onSelect}
      className={`${ITEM} ${entry.danger && !disabled ? 'text-bad' : ''}`}
    >
      {entry.icon && <Icon name={entry.icon} size={15} className="mt-[3px]" />}
      <span>
        {entry.label}
        {blockedReason && <span className="block text-xs text-faint">{blockedReason}</span>}
      </span>
    </Base.Item>
  )
}
