import { featureUrl, supportEmail } from '../runtime/page-settings.ts'
import { buttonClass } from '../components/button-variants.ts'
import { Dialog } from '../components/Dialog.tsx'
import { Icon } from '../components/Icon.tsx'

export default function SupportDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Support" width="sm">
      <p className="text-base text-dim">
        Engineers answer. Say which router, prefix or session it concerns and what you expected to see.
      </p>
      <div className="mt-4 grid gap-2">
        <a href={`mailto:${supportEmail}`} className={buttonClass('primary')}>
          <Icon name="mail" size={15} />
          Email Support
        </a>
        <a
          href={featureUrl || `mailto:${supportEmail}?subject=${encodeURIComponent('Feature request or bug')}`}
          rel="noreferrer"
          className={buttonClass('plain')}
        >
          Submit a feature request or bug
        </a>
      </div>
      <p className="mt-3 text-center font-mono text-xs text-faint">{supportEmail}</p>
    </Dialog>
  )
}
