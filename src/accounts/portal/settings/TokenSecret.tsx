import { SecretOnce } from '../../../portal/ui/SecretOnce.tsx'

/** The server keeps its digest alone. */
export const TokenSecret = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <SecretOnce
    title="Your new token"
    label="The token"
    advice="Put it where your program finds it and nobody else does."
    snippets={[
      { label: 'Token', text: secret },
      { label: 'curl', text: `curl -H 'Authorization: Bearer ${secret}' ${location.origin}/api/user` },
    ]}
    onClose={onClose}
  />
)
