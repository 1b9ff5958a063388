import { CodeBlock } from '../../portal/ui/CodeBlock.tsx'
import type { Fix } from '../contract.ts'

const WHERE: Readonly<Record<Fix['kind'], string>> = {
  ROA: 'ROA',
  ROUTE_OBJECT: 'Route object',
  AS_SET: 'AS-SET',
  VALUE: 'Prefix',
}

/** The exact text that mends a finding, to be entered at a registry as it stands. */
export const FixList = ({ fixes }: { fixes: readonly Fix[] }) =>
  fixes.map((fix) => (
    <div key={`${fix.kind} ${fix.text}`}>
      <p className="mb-1.5 text-sm font-medium text-ink">{fix.title}</p>
      <CodeBlock wraps={fix.kind === 'ROA'} label={fix.title} snippets={[{ label: WHERE[fix.kind], text: fix.text }]} />
    </div>
  ))
