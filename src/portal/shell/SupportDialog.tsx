import { featureUrl, supportEmail } from '../page-settings.ts'
import { buttonLook } from '../ui/button-look.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Icon } from '../ui/Icon.tsx'

export default function SupportDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Support" width="sm">
      <p className="text-base text-dim">
        Engineers answer. Say which router, prefix or session it concerns and what you expected to see.
      </p>
      <div className="mt-4 grid gap-2">
        <a href={`mailto:${supportEmail}`} className={buttonLook('primary')}>
          <Icon name="mail" size={15} />
          Email Support
        </a>
        <a
          href={featureUrl || `mailto:${supportEmail}?subject=${encodeURIComponent('Feature request or bug')}`}
          rel="noreferrer"
          className={buttonLook('plain')}
        >
          Submit a feature request or bug
        </a>
      </div>
      <p className="mt-3 text-center font-mono text-xs text-faint">{supportEmail}</p>
    </Dialog>
  )
}
