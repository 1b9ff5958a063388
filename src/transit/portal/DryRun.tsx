import { Button } from '../../ui/components/Button.tsx'
import { Icon } from '../../ui/components/Icon.tsx'
import { Spinner } from '../../ui/components/Spinner.tsx'
import type { CheckResult } from '../contract.ts'
import { capitalize } from '../../ui/runtime/explain-failure.ts'
import type { CheckStatus } from '../states.ts'
import { RemediationList } from './RemediationList.tsx'
import { RouteObjectList, VrpList } from './Records.tsx'
import type { Check } from './use-check.ts'
import { CHECK_BADGE } from './prefix-labels.ts'
import { CheckSummary } from './CheckSummary.tsx'

/** The check results of a request before it is made. A dry run writes nothing. */
export function DryRun({ check, onApplyRemediation }: { check: Check; onApplyRemediation: (value: string) => void }) {
  const { result, pending, failed, denial } = check
  return (
    <div aria-busy={pending} className={result || pending ? 'border-t border-line pt-3' : undefined}>
      <output className="sr-only">{!pending && result ? summary(result) : ''}</output>
      {(result || pending) && (
        <p className="flex min-h-6 items-center gap-2 text-sm font-medium">
          {result?.prefix ? <span className="num font-mono">{result.prefix}</span> : 'Dry run'}
          {pending && (
            <span className="text-dim">
              <Spinner />
            </span>
          )}
        </p>
      )}
      {result ? (
        <Found result={result} stale={pending} onApplyRemediation={onApplyRemediation} />
      ) : (
        <p className="text-sm text-dim">
          {denial ??
            (failed
              ? 'The check is unavailable right now. You can still request the prefix; it is checked again then.'
              : 'Enter a prefix to see its RPKI and IRR status, and the exact objects that are missing.')}
        </p>
      )}
    </div>
  )
}

function Found({
  result,
  stale,
  onApplyRemediation,
}: {
  result: CheckResult
  stale: boolean
  onApplyRemediation: (value: string) => void
}) {
  const value = result.remediation.find((remediationStep) => remediationStep.kind === 'VALUE')
  const elsewhere = result.remediation.filter((remediationStep) => remediationStep.kind !== 'VALUE')
  return (
    <div
      className={`mt-2 grid grid-cols-[minmax(0,1fr)] gap-3 transition-opacity lg:grid-cols-2 lg:gap-x-6 ${stale ? 'opacity-60' : ''}`}
    >
      {result.problems.map((problem) => (
        <p key={problem.code + problem.message} className="col-span-full flex items-start gap-1.5 text-sm text-bad">
          <Icon name="warning" size={14} className="mt-[3px]" />
          {sentenceOf(problem)}
        </p>
      ))}
      {value && (
        <div className="col-span-full">
          <Button size="sm" onClick={() => onApplyRemediation(value.text)}>
            Use <span className="num font-mono">{value.text}</span>
          </Button>
        </div>
      )}
      {result.rpkiStatus && (
        <div className="grid content-start gap-3">
          <CheckSummary source="RPKI" status={result.rpkiStatus} why={rpkiLabel(result)} />
          {result.rpki && <VrpList vrps={result.rpki.vrps} />}
        </div>
      )}
      {result.irrStatus && (
        <div className="grid content-start gap-3">
          <CheckSummary source="IRR" status={result.irrStatus} why={irrLabel(result)} />
          {result.irr && <RouteObjectList objects={result.irr.objects} />}
        </div>
      )}
      <RemediationList remediation={elsewhere} />
    </div>
  )
}

function rpkiLabel({ rpkiStatus, rpki }: CheckResult): string {
  if (rpkiStatus === 'INVALID') {
    return rpki?.reason === 'LENGTH'
      ? 'More specific than the ROA’s maxLength.'
      : 'Covering ROAs authorize a different origin.'
  }
  if (rpkiStatus === 'NOT_FOUND') return 'No ROA found. Our staff will decide.'
  return rpkiStatus === 'VALID' ? 'A ROA authorizes this origin.' : 'RPKI data is unavailable.'
}

function irrLabel({ irrStatus }: CheckResult): string {
  if (irrStatus === 'INVALID') return 'Route objects list a different origin.'
  if (irrStatus === 'NOT_FOUND') return 'No exact route object found. Our staff will decide.'
  return irrStatus === 'VALID' ? 'A route object lists this origin.' : 'IRR data is unavailable.'
}

const sentenceOf = ({ message }: { readonly message: string }): string =>
  capitalize(message.endsWith('.') ? message : `${message}.`)

function summary(result: CheckResult): string {
  if (!result.acceptable) return result.problems.map(sentenceOf).join(' ')
  const label = (status: CheckStatus | null) => CHECK_BADGE[status ?? 'UNKNOWN'].label.toLowerCase()
  return `RPKI ${label(result.rpkiStatus)}, IRR ${label(result.irrStatus)}`
}
