import { productName } from '../../../ui/runtime/page-settings.ts'
import { buttonClass } from '../../../ui/components/button-variants.ts'
import { Button } from '../../../ui/components/Button.tsx'
import { Callout } from '../../../ui/components/Callout.tsx'
import { CodeBlock } from '../../../ui/components/CodeBlock.tsx'
import { Dialog } from '../../../ui/components/Dialog.tsx'
import { Icon } from '../../../ui/components/Icon.tsx'

/** Shown only once: the server stores only their digests. */
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
          <a href={file} download="recovery-codes.txt" className={buttonClass()}>
            <Icon name="download" size={15} />
            Download
          </a>
          <Button variant="primary" onClick={onClose}>
            I’ve saved them
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <Callout tone="warn" title="You won’t see these codes again">
          Each code works once beside your password, in case you lose your phone or passkey. Store them somewhere else.
        </Callout>
        <CodeBlock label="Recovery codes" snippets={[{ label: `${codes.length} codes`, text }]} />
      </div>
    </Dialog>
  )
}
