import { Button } from '../../../portal/ui/Button.tsx'
import { Callout } from '../../../portal/ui/Callout.tsx'
import { CodeBlock } from '../../../portal/ui/CodeBlock.tsx'
import { Dialog } from '../../../portal/ui/Dialog.tsx'

/** Shown this once: the server keeps its digest alone. */
export function TokenSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const example = `curl -H 'Authorization: Bearer ${secret}' ${location.origin}/api/user`
  return (
    <Dialog
      open
      insistent
      onClose={onClose}
      title="Your new token"
      footer={
        <Button look="primary" onClick={onClose}>
          I have kept it
        </Button>
      }
    >
      <div className="grid gap-3">
        <Callout tone="warn" title="This is the only time that you see it">
          Put it where your program finds it and nobody else does.
        </Callout>
        <CodeBlock
          label="The token"
          snippets={[
            { label: 'Token', text: secret },
            { label: 'curl', text: example },
          ]}
        />
      </div>
    </Dialog>
  )
}
