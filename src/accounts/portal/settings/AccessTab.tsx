import { ApiTokens } from './ApiTokens.tsx'
import { SshKeys } from './SshKeys.tsx'

export default function AccessTab() {
  return (
    <div className="max-w-5xl">
      <ApiTokens />
      <SshKeys />
    </div>
  )
}
