import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { splitPrefixList } from '../../kernel/prefix-list.ts'
import { explainFailure } from '../../ui/runtime/explain-failure.ts'
import { notify } from '../../ui/runtime/notifications.ts'
import { Button } from '../../ui/components/Button.tsx'
import { SelectField, TextField } from '../../ui/components/Field.tsx'
import { Form, type FormValues, type Submission } from '../../ui/components/Form.tsx'
import { Panel } from '../../ui/components/PageHeader.tsx'
import type { TransitConnection, TransitPrefix } from '../contract.ts'
import type { AnnouncementType } from '../states.ts'
import { ownPrefixes, transit } from './api.ts'
import { Quota } from './Quota.tsx'
import { Spinner } from '../../ui/components/Spinner.tsx'
import { DryRun } from './DryRun.tsx'
import { announcementChoices, announcementHint } from './prefix-labels.ts'
import { ORIGIN_PATTERN, originOf, useCheck, type Wanted } from './use-check.ts'

const RequestList = lazy(async () => ({ default: (await import('./RequestList.tsx')).RequestList }))

const NOTHING: Wanted = { value: '', announcementType: 'ORIGIN', originAsn: '' }

/** Requests a prefix, and shows the check results before the request is made. */
export function RequestPrefix({
  connection,
  onRequested,
}: {
  connection: TransitConnection
  onRequested: (prefix: TransitPrefix) => void
}) {
  const queries = useQueryClient()
  const [wanted, setWanted] = useState(NOTHING)
  const check = useCheck(wanted)
  const [isList, setIsList] = useState(false)
  const [list, setList] = useState('')
  const change = (part: Partial<Wanted>) => setWanted({ ...wanted, ...part })

  const request = async (values: FormValues, submission: Submission) => {
    const { announcementType } = wanted
    const body = { value: values.text('value'), announcementType, ...originOf(wanted) }
    const prefix = await transit.call['POST /api/transit_prefixes']({ body }, submission)
    queries.setQueryData<readonly TransitPrefix[]>(ownPrefixes().queryKey, (known) => [
      prefix,
      ...(known ?? []).filter(({ id }) => id !== prefix.id),
    ])
    setWanted({ ...NOTHING, announcementType })
    onRequested(prefix)
    notify({ type: 'success', title: `${prefix.value} requested`, body: 'Its progress is shown above.' })
  }
  return (
    <Panel className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Quota />
        <Button size="sm" variant="quiet" changes={false} aria-pressed={isList} onClick={() => setIsList(!isList)}>
          {isList ? 'Request one prefix' : 'Paste a list'}
        </Button>
      </div>
      {isList ? (
        <Suspense fallback={<Spinner />}>
          <RequestList text={list} onText={setList} defaultType={wanted.announcementType} connection={connection} />
        </Suspense>
      ) : (
        <>
          <Form onSubmit={request} explain={explainFailure} className="grid gap-3.5">
            {({ busy }) => (
              <div className="grid items-start gap-x-4 gap-y-3.5 sm:grid-cols-2 lg:flex lg:[&>div]:w-72 lg:[&>div:last-child]:w-auto">
                <TextField
                  label="Prefix"
                  name="value"
                  mono
                  required
                  value={wanted.value}
                  onChange={(event) => change({ value: event.target.value })}
                  onPaste={(event) => {
                    const pasted = event.clipboardData.getData('text')
                    if (splitPrefixList(pasted).filter(({ text }) => text.includes('/')).length < 2) return
                    event.preventDefault()
                    setList(pasted)
                    setIsList(true)
                  }}
                  maxLength={100}
                  placeholder="192.0.2.0/24 or 2001:db8::/32"
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                />
                <SelectField
                  label="Announced"
                  name="announcementType"
                  value={wanted.announcementType}
                  onChange={(event) => change({ announcementType: event.target.value as AnnouncementType })}
                  choices={announcementChoices(connection.edge.lacks)}
                  hint={announcementHint(
                    wanted.announcementType,
                    connection.edge.lacks,
                    needsAsSet(wanted, connection),
                  )}
                />
                {wanted.announcementType === 'DOWNSTREAM' && (
                  <TextField
                    label="Origin ASN"
                    name="originAsn"
                    mono
                    optional
                    value={wanted.originAsn}
                    onChange={(event) => change({ originAsn: event.target.value })}
                    placeholder="AS64500"
                    pattern={ORIGIN_PATTERN}
                    autoComplete="off"
                    spellCheck={false}
                    hint="Leave empty to detect it from ROAs and route objects."
                  />
                )}
                {/* Aligned with the fields, whose labels are above them. */}
                <div className="lg:pt-6.5">
                  <Button type="submit" variant="primary" busy={busy} className="h-9">
                    Request prefix
                  </Button>
                </div>
              </div>
            )}
          </Form>
          <DryRun check={check} onApplyRemediation={(value) => change({ value })} />
        </>
      )}
    </Panel>
  )
}

const needsAsSet = ({ announcementType }: Wanted, { asSet }: TransitConnection): string =>
  announcementType === 'DOWNSTREAM' && asSet === null ? '; set your AS-SET under Connection first' : ''
