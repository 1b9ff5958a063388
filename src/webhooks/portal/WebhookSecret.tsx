import { Button } from '../../portal/ui/Button.tsx'
import { Callout } from '../../portal/ui/Callout.tsx'
import { CodeBlock } from '../../portal/ui/CodeBlock.tsx'
import { Dialog } from '../../portal/ui/Dialog.tsx'

const VERIFY = `// npm install standardwebhooks
import { Webhook } from 'standardwebhooks'

// The body as it came, before anything parses it. Throws when it was not us, or is older than five minutes.
const message = new Webhook(process.env.WEBHOOK_SECRET).verify(body, request.headers)`

/** Shown this once: nobody can read it again, only make a new one. */
export function WebhookSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog
      open
      insistent
      onClose={onClose}
      title="The secret of this webhook"
      footer={
        <Button look="primary" onClick={onClose}>
          I have kept it
        </Button>
      }
    >
      <div className="grid gap-3">
        <Callout tone="warn" title="This is the only time that you see it">
          Your receiver checks with it that a message came from us.
        </Callout>
        <CodeBlock
          label="The secret"
          snippets={[
            { label: 'Secret', text: secret },
            { label: 'Node.js', text: VERIFY },
          ]}
        />
      </div>
    </Dialog>
  )
}
