import { productName } from '../../../portal/page-settings.ts'
import { buttonLook } from '../../../portal/ui/button-look.ts'
import { Button } from '../../../portal/ui/Button.tsx'
import { Callout } from '../../../portal/ui/Callout.tsx'
import { CodeBlock } from '../../../portal/ui/CodeBlock.tsx'
import { Dialog } from '../../../portal/ui/Dialog.tsx'
import { Icon } from '../../../portal/ui/Icon.tsx'

/** Shown this once: the server keeps their digests alone. */
export default function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = codes.join('\n')
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`Recovery codes for ${productName}\n\n${text}\n`)}`
  return (
    <Dialog
      open
      insistent
      onClose={onClose}
      title="Recovery codes"
      footer={
        <>
          <a href={file} download="recovery-codes.txt" className={buttonLook()}>
            <Icon name="download" size={15} />
            Download
          </a>
          <Button look="primary" onClick={onClose}>
            I have kept them
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <Callout tone="warn" title="This is the only time that you see them">
          Each signs in once instead of a code of the app, for the day when your phone is gone. Keep them where your
          phone is not.
        </Callout>
        <CodeBlock label="Recovery codes" snippets={[{ label: `${codes.length} codes`, text }]} />
      </div>
    </Dialog>
  )
}
