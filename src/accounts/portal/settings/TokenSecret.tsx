import { OneTimeSecret } from '../../../ui/components/OneTimeSecret.tsx'

/** Shown only once: the server stores only its digest. */
export const TokenSecret = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <OneTimeSecret
    title="Your new token"
    label="The token"
    advice="Store it where only your program can read it."
    snippets={[
      { label: 'Token', text: secret },
      { label: 'curl', text: `curl -H 'Authorization: Bearer ${secret}' ${location.origin}/api/user` },
    ]}
    onClose={onClose}
  />
)
