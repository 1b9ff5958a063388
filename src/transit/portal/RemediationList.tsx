import { CodeBlock } from '../../ui/components/CodeBlock.tsx'
import type { Remediation } from '../contract.ts'

const WHERE: Readonly<Record<Remediation['kind'], string>> = {
  ROA: 'ROA',
  ROUTE_OBJECT: 'Route object',
  AS_SET: 'AS-SET',
  ASPA: 'ASPA',
  AUT_NUM: 'aut-num',
  MAIL: 'Support',
  VALUE: 'Prefix',
}

/** The exact text that fixes a failed check, to be entered verbatim at a registry. */
export const RemediationList = ({ remediation }: { remediation: readonly Remediation[] }) =>
  remediation.map((remediationStep) => (
    <div key={`${remediationStep.kind} ${remediationStep.text}`}>
      <p className="mb-1.5 text-sm font-medium text-ink">{remediationStep.title}</p>
      <CodeBlock
        wraps={remediationStep.kind === 'ROA' || remediationStep.kind === 'ASPA'}
        label={remediationStep.title}
        snippets={[{ label: WHERE[remediationStep.kind], text: remediationStep.text }]}
      />
      {remediationStep.url && (
        <a className="link text-sm" href={remediationStep.url} target="_blank" rel="noreferrer">
          {new URL(remediationStep.url).hostname}
        </a>
      )}
    </div>
  ))
