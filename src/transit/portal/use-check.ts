import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useReadOnlyReason } from '../../ui/components/change-denial.ts'
import type { CheckResult } from '../contract.ts'
import type { AnnouncementType } from '../states.ts'
import { transit } from './api.ts'

/** The request as typed in the form. */
export interface Wanted {
  readonly value: string
  readonly announcementType: AnnouncementType
  /** As typed; empty lets the sources name the origin. */
  readonly originAsn: string
}

/** The input pattern of the origin field. */
export const ORIGIN_PATTERN = {
  source: '\\s*(?:[Aa][Ss])?(\\d{1,10})\\s*',
  takes: 'Enter an ASN such as AS64500 or 64500.',
}
const ORIGIN = new RegExp(`^${ORIGIN_PATTERN.source}$`)

/** Long enough for the next key, short enough to feel immediate. */
const PAUSE_MS = 300
/** Nobody waits longer than this with a form, so the sources may be queried again. */
const FRESH_MS = 30_000

export interface Check {
  readonly result: CheckResult | null
  /** The shown result belongs to an earlier input. */
  readonly pending: boolean
  readonly failed: boolean
  /** Why nothing is checked; null when it is. */
  readonly denial: string | null
}

/** Checks a request while it is being typed. It changes nothing, but the API counts it as a mutation. */
export function useCheck(wanted: Wanted): Check {
  const denial = useReadOnlyReason()
  const asked = usePaused(wanted)
  const value = asked.value.trim()
  const { data, isFetching, isError } = useQuery({
    queryKey: ['check', value, asked.announcementType, asked.originAsn],
    queryFn: async ({ signal }) => {
      const [result] = await transit.call['POST /api/transit_prefixes/check'](
        { body: { values: [value], announcementType: asked.announcementType, ...originOf(asked) } },
        { signal, notify: false },
      )
      return result ?? null
    },
    enabled: value !== '' && denial === null,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })
  const empty = wanted.value.trim() === '' || denial !== null
  return {
    result: empty || value === '' ? null : (data ?? null),
    pending: !empty && (isFetching || asked !== wanted),
    failed: isError && !empty,
    denial,
  }
}

/** Only a DOWNSTREAM prefix has an origin to name. The API validates it. */
export function originOf({ announcementType, originAsn }: Wanted): { originAsn?: number } {
  const named = announcementType === 'DOWNSTREAM' ? ORIGIN.exec(originAsn) : null
  return named ? { originAsn: Number(named[1]) } : {}
}

function usePaused<T>(value: T): T {
  const [paused, setPaused] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return paused
}
