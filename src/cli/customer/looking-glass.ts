import { transitApi } from '../../transit/index.ts'
import { defineCommand, optional, text } from '../command.ts'
import { apiClientFor } from './api-client.ts'
import { JSON_FLAG } from './options.ts'
import { print, table, when } from './print.ts'

export const listReceivedRoutes = defineCommand({
  name: 'transit routes',
  summary: 'List the routes the edge receives from your router, rejected routes first, with the reason.',
  args: {},
  options: { search: optional(text('an address or a prefix')), ...JSON_FLAG },
  async run({ search, json = false }, terminal) {
    const query = { limit: 200, ...(search !== undefined && { search }) }
    const found = await (await apiClientFor(terminal)).call(transitApi, 'GET /api/transit_connection/routes', { query })
    print(terminal, json, found, () => [
      ...(found.error ? [found.error] : [`${found.accepted} accepted, ${found.refused} refused`]),
      ...table(
        ['PREFIX', 'STATE', 'SINCE', 'AS PATH', 'REASON'],
        found.routes.map(({ prefix, accepted, since, asPath, reason }) => [
          prefix,
          accepted ? 'accepted' : 'refused',
          when(since),
          asPath,
          reason && `${reason.text} ${reason.fix}`,
        ]),
      ),
    ])
  },
})

export const lookUpDestination = defineCommand({
  name: 'transit lookup',
  summary: 'Show the best route of the edge to a destination, the alternatives, and why it was chosen.',
  args: { target: text('an address or a prefix') },
  options: JSON_FLAG,
  async run({ target, json = false }, terminal) {
    const query = { target }
    const found = await (await apiClientFor(terminal)).call(transitApi, 'GET /api/looking_glass', { query })
    print(terminal, json, found, () => [
      ...(found.error ? [found.error] : []),
      ...(found.error === null && found.routes.length === 0 ? [`No route to ${found.target}.`] : []),
      ...table(
        ['PREFIX', 'CHOICE', 'AS PATH', 'WHY'],
        found.routes.map(({ prefix, best, asPath, why }) => [prefix, best ? 'best' : '', asPath, why]),
      ),
    ])
  },
})
