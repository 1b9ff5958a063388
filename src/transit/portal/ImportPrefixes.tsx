import { useQuery, useQueryClient } from '@tanstack/react-query'
import { formatAsn } from '../../kernel/asn.ts'
import { Button } from '../../ui/components/Button.tsx'
import { Time } from '../../ui/components/Time.tsx'
import { HttpFailure } from '../../ui/runtime/http-failure.ts'
import type { PrefixImport } from '../contract.ts'
import { MAX_LISTED } from '../states.ts'
import { ownConnection, ownImport, transit } from './api.ts'

/** The prefixes that registries list for the customer's own ASN and its AS-SET members, to be added to the list by origin. */
export function ImportPrefixes({ onAdd }: { onAdd: (values: readonly string[], originAsn: number) => void }) {
  const queries = useQueryClient()
  const { data } = useQuery(ownImport())
  const { data: connection } = useQuery(ownConnection())
  const last = data?.import ?? null
  const running = last !== null && last.finishedAt === null
  const start = async () => {
    try {
      queries.setQueryData(ownImport().queryKey, await transit.call['POST /api/transit_prefixes/import']())
    } catch (error) {
      // The client has already shown an HTTP error; any other error is a bug.
      if (!(error instanceof HttpFailure)) throw error
    }
  }
  const subject = connection?.asSet ? `your ASN and the members of ${connection.asSet}` : 'your ASN'
  return (
    <section aria-label="Import from registries" className="grid gap-2.5 rounded-md border border-line p-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-sm text-dim">Find the route objects of {subject} in the registries.</p>
        <Button size="sm" busy={running} onClick={() => void start()}>
          {last ? 'Import again' : 'Import from registries'}
        </Button>
      </div>
      {last && <Found found={last} onAdd={onAdd} />}
    </section>
  )
}

function Found({
  found,
  onAdd,
}: {
  found: PrefixImport
  onAdd: (values: readonly string[], originAsn: number) => void
}) {
  const byOrigin = Map.groupBy(found.prefixes, (prefix) => prefix.originAsn)
  return (
    <>
      <output className="text-sm">
        {progressOf(found)}
        {found.finishedAt && (
          <>
            {' '}
            <Time at={found.finishedAt} />
          </>
        )}
      </output>
      {notesOf(found).map((note) => (
        <p key={note} className="text-sm text-warn">
          {note}
        </p>
      ))}
      {byOrigin.size > 0 && (
        <ul aria-label="Found by origin" className="divide-y divide-line">
          {[...byOrigin].map(([originAsn, prefixes]) => (
            <Origin key={originAsn} originAsn={originAsn} prefixes={prefixes} onAdd={onAdd} />
          ))}
        </ul>
      )}
    </>
  )
}

function Origin({
  originAsn,
  prefixes,
  onAdd,
}: {
  originAsn: number
  prefixes: PrefixImport['prefixes']
  onAdd: (values: readonly string[], originAsn: number) => void
}) {
  const open = prefixes.filter(({ requested }) => !requested).map(({ value }) => value)
  const weak = prefixes.filter((prefix) => prefix.weak).length
  const some = open.slice(0, MAX_LISTED)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2 text-sm">
      <span className="num font-mono font-medium sm:min-w-28">{formatAsn(originAsn)}</span>
      <span className="flex-1 text-dim">
        {prefixes.length} {prefixes.length === 1 ? 'prefix' : 'prefixes'}
        {open.length < prefixes.length && `, ${prefixes.length - open.length} requested already`}
        {weak > 0 && `, ${weak} only in registries that do not check the holder`}
      </span>
      {open.length > 0 && (
        <Button size="sm" changes={false} onClick={() => onAdd(some, originAsn)}>
          Add {some.length < open.length ? `the first ${some.length}` : some.length} to the list
        </Button>
      )}
    </li>
  )
}

function progressOf({ finishedAt, failure, origins, prefixes }: PrefixImport): string {
  if (failure === 'unavailable') return 'The registries did not answer. Try again later.'
  if (failure === 'not_verified') return 'Your ASN is no longer verified. Verify it, then import again.'
  if (origins.total === null) return 'Reading your AS-SET …'
  const asns = `${origins.total} ${origins.total === 1 ? 'ASN' : 'ASNs'}`
  if (finishedAt === null) return `${origins.read} of ${asns} read …`
  return `${prefixes.length} ${prefixes.length === 1 ? 'prefix' : 'prefixes'} found for ${asns},`
}

function notesOf({ asSet, asSetProblem, truncated, skipped }: PrefixImport): string[] {
  return [
    asSetProblem === 'not_own' && `${asSet} is not yours, so its members were left out.`,
    asSetProblem === 'not_found' && `${asSet} was not found, so only your own ASN was read.`,
    skipped > 0 &&
      `${skipped} ${skipped === 1 ? 'route object was' : 'route objects were'} left out: too specific, or reserved space.`,
    truncated && 'There is more than an import reads. Paste the rest from your own records.',
  ].filter((note) => note !== false)
}
