import { formatAsn } from '../../kernel/asn.ts'
import { transitApi } from '../../transit/index.ts'
import { defineCommand } from '../command.ts'
import { apiClientFor } from './api-client.ts'
import { JSON_FLAG } from './options.ts'
import { printDetails, print, table, when } from './print.ts'

export const showTransit = defineCommand({
  name: 'transit show',
  summary: 'Show your transit connection and its BGP sessions.',
  args: {},
  options: JSON_FLAG,
  async run({ json = false }, terminal) {
    const connection = await (await apiClientFor(terminal)).call(transitApi, 'GET /api/transit_connection')
    const { asn, asnVerifiedAt, asSet, router, enabled, sessions } = connection
    print(terminal, json, connection, () => [
      ...printDetails([
        ['ASN', asn && `${formatAsn(asn)}, ${asnVerifiedAt ? `verified ${when(asnVerifiedAt)}` : 'not verified'}`],
        ['AS-SET', asSet],
        ['Router', router && `${router.name} (${router.state})`],
        ['Sessions', enabled ? 'enabled' : 'disabled'],
      ]),
      ...(sessions.length > 0 ? [''] : []),
      ...(sessions.length > 0
        ? table(
            ['FAMILY', 'OURS', 'YOURS', 'STATE', 'SINCE', 'RECEIVED', 'ACCEPTED', 'EXPORTED'],
            sessions.map((session) => [
              `IPv${session.family}`,
              session.localAddress,
              session.peerAddress,
              session.state,
              when(session.since),
              session.received,
              session.accepted,
              session.exported,
            ]),
          )
        : []),
      ...sessions.flatMap(({ family, lastError }) => (lastError ? [`IPv${family}: ${lastError}`] : [])),
    ])
  },
})
