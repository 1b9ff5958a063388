import { Button } from './Button.tsx'
import { Callout } from './Callout.tsx'
import { CodeBlock } from './CodeBlock.tsx'
import { Dialog } from './Dialog.tsx'

/** A secret that is shown only once: it stays until the user confirms that they saved it. */
export function OneTimeSecret({
  title,
  label,
  advice,
  snippets,
  onClose,
}: {
  title: string
  label: string
  advice: string
  /** The secret, and ways to use it. */
  snippets: readonly { readonly label: string; readonly text: string }[]
  onClose: () => void
}) {
  return (
    <Dialog
      open
      insistent
      onClose={onClose}
      title={title}
      footer={
        <Button variant="primary" onClick={onClose}>
          I’ve saved it
        </Button>
      }
    >
      <div className="grid gap-3">
        <Callout tone="warn" title="You won’t see this again">
          {advice}
        </Callout>
        <CodeBlock label={label} snippets={snippets} />
      </div>
    </Dialog>
  )
}
