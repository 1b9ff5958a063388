import { useState } from 'react'
import { Copyable } from '../../../ui/components/Copyable.tsx'
import { DataTable } from '../../../ui/components/DataTable.tsx'
import { Disclosure } from '../../../ui/components/Disclosure.tsx'
import type { TransitConnection } from '../../contract.ts'
import { COMMUNITY_DIALECTS, communityExample, edgeCommunities, type CommunityDialect } from './communities.ts'

/** The communities that the router can set on each route, with the line that sets them. */
export function EdgeCommunities({ connection }: { connection: TransitConnection }) {
  const [dialect, setDialect] = useState<CommunityDialect>('BIRD 2')
  const edge = connection.sessions[0]?.localAddress ?? ''
  return (
    <Disclosure title="BGP communities" hint="blackhole, prepend and more on your own routes">
      {() => (
        <>
          <p>
            Set these on routes that you announce. The router configurations below have a blackhole and a prepend as
            comments to uncomment. Communities of other networks are removed from your routes; your own stay.
          </p>
          <fieldset className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <legend className="float-left mr-4">Examples for</legend>
            {COMMUNITY_DIALECTS.map((one) => (
              <label key={one} className="flex items-center gap-1.5">
                <input
                  type="radio"
                  name="community-dialect"
                  checked={one === dialect}
                  className="size-3.5"
                  onChange={() => setDialect(one)}
                />
                {one}
              </label>
            ))}
          </fieldset>
          <p>{PLACES[dialect]}</p>
          <DataTable
            label="Communities"
            rows={edgeCommunities(connection.operatorAsn, connection.upstreams)}
            rowKey={({ value }) => value}
            columns={[
              { id: 'value', header: 'Community', cell: ({ value }) => <Copyable value={value} /> },
              {
                id: 'example',
                header: 'Example',
                cell: ({ value }) => <Copyable value={communityExample(dialect, value, edge)} />,
              },
              { id: 'meaning', header: 'Meaning', cell: ({ meaning }) => meaning },
            ]}
          />
        </>
      )}
    </Disclosure>
  )
}

const PLACES: Readonly<Record<CommunityDialect, string>> = {
  'BIRD 2': 'Put the line into the export filter of the session, before “accept”.',
  FRR: 'Put the line into the outbound route-map of the session.',
  OpenBGPD: 'Put the line after the rules that allow your prefixes. Add “prefix …” for one of them.',
  RouterOS: 'Put the line into a rule of the chain transit4-out or transit6-out, before “accept”.',
  VyOS: 'Enter the line in configuration mode, with transit6-out for IPv6.',
}
