import { accountsApi } from '../../accounts/index.ts'
import { defineCommand, CommandError, text } from '../command.ts'
import { bearer, removeAccount, saveAccount, portalAddress } from './account.ts'
import { createApiClient } from './api-client.ts'

export const login = defineCommand({
  name: 'login',
  summary: 'Save the address of a portal and an API token for the commands below.',
  notes:
    'The token is read from standard input, never from the command line, where others of this machine could see it.\nMake one under Settings, Keys and tokens. It is kept in ~/.config/longhaul, readable by you alone.',
  args: {},
  options: { url: text('the https:// address of the portal') },
  async run({ url }, { env, ask, say }) {
    if (!ask)
      throw new CommandError(
        'This is no terminal, so the token cannot be asked for: pipe it in, or set LONGHAUL_TOKEN.',
      )
    const account = { url: portalAddress(url), token: bearer(await ask('API token: ', 'hidden')) }
    const user = await createApiClient(account).call(accountsApi, 'GET /api/user')
    const file = await saveAccount(env, account)
    say(`Signed in at ${account.url} as ${user.email}. Kept in ${file}.`)
  },
})

export const logout = defineCommand({
  name: 'logout',
  summary: 'Delete the saved token. It stays valid until it is revoked in the portal.',
  args: {},
  options: {},
  async run(_, { env, say }) {
    say((await removeAccount(env)) ? 'Forgotten.' : 'There was nothing to forget.')
  },
})
