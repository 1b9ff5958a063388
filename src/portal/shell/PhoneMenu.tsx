import { Dialog } from '../ui/Dialog.tsx'
import { AccountFoot } from './AccountFoot.tsx'
import { STAFF_PLACES } from './navigation.ts'
import { PlaceLink } from './PlaceLink.tsx'
import type { FrameProps } from './Sidebar.tsx'

/** What the bars of a phone have no room for. Fetched when a thumb comes down on its button. */
export default function PhoneMenu({ user, onOpen, onSignOut, onClose }: FrameProps & { readonly onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="More" width="sm">
      {user.isAdmin && (
        <nav aria-label="Staff" className="mb-3 grid gap-0.5 border-b border-line pb-3">
          {STAFF_PLACES.map((place) => (
            <PlaceLink
              key={place.to}
              place={place}
              onClick={onClose}
              className="flex h-11 items-center gap-2.5 rounded-md px-2.5 text-dim"
            />
          ))}
        </nav>
      )}
      <AccountFoot user={user} onOpen={onOpen} onSignOut={onSignOut} />
    </Dialog>
  )
}
