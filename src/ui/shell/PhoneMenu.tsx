import { Dialog } from '../components/Dialog.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { navigationOf } from './navigation.ts'
import { NavLink } from './NavLink.tsx'
import type { FrameProps } from './frame-props.ts'

/** Items that do not fit into the phone's bars. Fetched when a thumb touches its button. */
export default function PhoneMenu({ user, onOpen, onSignOut, onClose }: FrameProps & { readonly onClose: () => void }) {
  const { staff } = navigationOf(user)
  return (
    <Dialog open onClose={onClose} title="More" width="sm">
      {staff.length > 0 && (
        <nav aria-label="Admin" className="mb-3 grid gap-0.5 border-b border-line pb-3">
          {staff.map((item) => (
            <NavLink
              key={item.to}
              item={item}
              onClick={onClose}
              className="flex h-11 items-center gap-2.5 rounded-md px-2.5 text-dim"
            />
          ))}
        </nav>
      )}
      <AccountMenu user={user} onOpen={onOpen} onSignOut={onSignOut} />
    </Dialog>
  )
}
