import { OneTimeSecret } from '../../ui/components/OneTimeSecret.tsx'

const VERIFY = `// npm install standardwebhooks
import { Webhook } from 'standardwebhooks'

// The body as it came, before anything parses it. Throws when it was not us, or is older than five minutes.
const message = new Webhook(process.env.WEBHOOK_SECRET).verify(body, request.headers)`

/** The secret cannot be read again, only replaced. */
export const WebhookSecret = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <OneTimeSecret
    title="The secret of this webhook"
    label="The secret"
    advice="Use it to verify that a message came from us."
    snippets={[
      { label: 'Secret', text: secret },
      { label: 'Node.js', text: VERIFY },
    ]}
    onClose={onClose}
  />
)
