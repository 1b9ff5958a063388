import { ApiTokens } from './ApiTokens.tsx'
import { SshKeys } from './SshKeys.tsx'

export default function AccessTab() {
  return (
    <>
      <ApiTokens />
      <SshKeys />
    </>
  )
}
