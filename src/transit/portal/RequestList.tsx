import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatAsn } from '../../kernel/asn.ts'
import { readRange, splitPrefixList } from '../../kernel/prefix-list.ts'
import { formatPrefix } from '../../kernel/prefix.ts'
import { Button } from '../../ui/components/Button.tsx'
import { useReadOnlyReason } from '../../ui/components/change-denial.ts'
import { SelectField, TextAreaField, TextField } from '../../ui/components/Field.tsx'
import { Form, type Submission } from '../../ui/components/Form.tsx'
import { StatusBadge } from '../../ui/components/StatusBadge.tsx'
import { capitalize, explainFailure } from '../../ui/runtime/explain-failure.ts'
import { HttpFailure } from '../../ui/runtime/http-failure.ts'
import { notify } from '../../ui/runtime/notifications.ts'
import type { CheckProblem, CheckResult, TransitConnection } from '../contract.ts'
import { MAX_LISTED, type AnnouncementType } from '../states.ts'
import { ownPrefixes, ownQuota, transit } from './api.ts'
import { ImportPrefixes } from './ImportPrefixes.tsx'
import { announcementChoices, announcementHint, CHECK_BADGE } from './prefix-labels.ts'
import { ORIGIN_PATTERN, originOf } from './use-check.ts'

interface Line {
  readonly value: string
  readonly problems: readonly CheckProblem[]
  /** The result of a dry run; null after a request. */
  readonly checked: CheckResult | null
  readonly taken: boolean
}

/** A pasted list, checked and requested line by line. Refused lines stay in the box. */
export function RequestList({
  text,
  onText,
  defaultType,
  connection: { asn: ownAsn, edge },
}: {
  text: string
  onText: (text: string) => void
  defaultType: AnnouncementType
  connection: TransitConnection
}) {
  const queries = useQueryClient()
  const [type, setType] = useState(defaultType)
  const [origin, setOrigin] = useState('')
  const [lines, setLines] = useState<readonly Line[]>([])
  const [checking, setChecking] = useState(false)
  const readOnly = useReadOnlyReason()
  const entries = splitPrefixList(text)
  const tooMany = entries.length > MAX_LISTED
  const ranges = entries.filter((entry) => (readRange(entry.text)?.prefixes.length ?? 0) > 0).length
  const wanted = { announcementType: type, ...originOf({ value: '', announcementType: type, originAsn: origin }) }
  const values = entries.map((entry) => entry.text)
  const blocked = tooMany
    ? `The list has ${entries.length} prefixes; at most ${MAX_LISTED} can be requested at a time.`
    : values.length === 0
      ? 'Paste at least one prefix.'
      : null

  const change = (next: string) => {
    onText(next)
    setLines([])
  }
  const add = (values: readonly string[], originAsn: number) => {
    const own = originAsn === ownAsn
    setType(own ? 'ORIGIN' : 'DOWNSTREAM')
    setOrigin(own ? '' : formatAsn(originAsn))
    change(values.join('\n'))
  }
  const check = async () => {
    setChecking(true)
    try {
      const results = await transit.call['POST /api/transit_prefixes/check']({ body: { values, ...wanted } })
      setLines(results.map((one) => ({ value: one.value, problems: one.problems, checked: one, taken: false })))
    } catch (error) {
      // The client has already shown an HTTP error; any other error is a bug.
      if (!(error instanceof HttpFailure)) throw error
    } finally {
      setChecking(false)
    }
  }
  const request = async (_: unknown, submission: Submission) => {
    if (blocked) return
    const outcomes = await transit.call['POST /api/transit_prefixes/bulk']({ body: { values, ...wanted } }, submission)
    const left = outcomes.filter(({ id }) => id === null)
    onText(left.map(({ value }) => value).join('\n'))
    setLines(outcomes.map(({ value, problems, id }) => ({ value, problems, checked: null, taken: id !== null })))
    const taken = outcomes.length - left.length
    await Promise.all([ownPrefixes(), ownQuota()].map(({ queryKey }) => queries.invalidateQueries({ queryKey })))
    if (taken > 0) {
      const body = left.length > 0 ? `${left.length} could not be requested and stay in the list.` : undefined
      notify({
        type: 'success',
        title: `${taken} ${taken === 1 ? 'prefix' : 'prefixes'} requested`,
        ...(body !== undefined && { body }),
      })
    }
  }
  const splitRanges = () => {
    const split = entries.flatMap((entry) => readRange(entry.text)?.prefixes.map(formatPrefix) ?? [entry.text])
    change(split.join('\n'))
  }
  return (
    <Form onSubmit={request} explain={explainFailure} className="grid gap-3.5">
      {({ busy }) => (
        <>
          <ImportPrefixes onAdd={add} />
          <TextAreaField
            label="Prefixes"
            name="values"
            mono
            rows={6}
            // The box opens in response to a click or a paste: the user's next step is here.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            value={text}
            onChange={(event) => change(event.target.value)}
            maxLength={20_000}
            placeholder={'192.0.2.0/24\n2001:db8::/32'}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            error={tooMany ? blocked! : undefined}
            hint={`IPv4 and IPv6, separated by lines, commas or spaces; at most ${MAX_LISTED}. Text after # is ignored.`}
          />
          <div className="grid items-start gap-x-4 gap-y-3.5 sm:grid-cols-2 lg:flex lg:[&>div]:w-72">
            <SelectField
              label="Announced"
              name="announcementType"
              value={type}
              onChange={(event) => {
                setType(event.target.value as AnnouncementType)
                setLines([])
              }}
              choices={announcementChoices(edge.lacks)}
              hint={announcementHint(type, edge.lacks)}
            />
            {type === 'DOWNSTREAM' && (
              <TextField
                label="Origin ASN"
                name="originAsn"
                mono
                optional
                value={origin}
                onChange={(event) => setOrigin(event.target.value)}
                placeholder="AS64500"
                pattern={ORIGIN_PATTERN}
                autoComplete="off"
                spellCheck={false}
                hint="Leave empty to detect it from ROAs and route objects."
              />
            )}
          </div>
          <div className="flex flex-wrap items-center gap-2">
            <Button type="submit" variant="primary" busy={busy} disabledReason={blocked}>
              Request {values.length > 1 ? `${values.length} prefixes` : 'list'}
            </Button>
            <Button busy={checking} disabledReason={readOnly ?? blocked} changes={false} onClick={() => void check()}>
              Check list
            </Button>
            {ranges > 0 && (
              <Button variant="quiet" changes={false} onClick={splitRanges}>
                Replace {ranges === 1 ? 'the range' : `${ranges} ranges`} with prefixes
              </Button>
            )}
          </div>
          <LineList lines={lines} />
        </>
      )}
    </Form>
  )
}

function LineList({ lines }: { lines: readonly Line[] }) {
  const refused = lines.filter(({ taken, problems }) => !taken && problems.length > 0).length
  return (
    <>
      <output className="text-sm text-dim empty:hidden">
        {lines.length > 0 &&
          `${lines.length - refused} of ${lines.length} ${lines.some(({ taken }) => taken) ? 'requested' : 'without problems'}.`}
      </output>
      {lines.length > 0 && (
        <ul aria-label="Result by prefix" className="divide-y divide-line rounded-md border border-line">
          {lines.map(({ value, problems, checked, taken }, index) => (
            // The list may contain the same text twice.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={`${value} ${index}`} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-3 py-2">
              <span className="num font-mono text-sm wrap-anywhere sm:min-w-44">{value}</span>
              {problems.length > 0 ? (
                <span className="text-sm text-bad">
                  {problems.map(({ message }) => capitalize(message)).join('. ')}
                </span>
              ) : taken ? (
                <StatusBadge tone="ok">Requested</StatusBadge>
              ) : (
                checked && (
                  <span className="flex flex-wrap gap-x-3 text-sm text-dim">
                    <span>RPKI {CHECK_BADGE[checked.rpkiStatus ?? 'UNKNOWN'].label.toLowerCase()}</span>
                    <span>IRR {CHECK_BADGE[checked.irrStatus ?? 'UNKNOWN'].label.toLowerCase()}</span>
                  </span>
                )
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
