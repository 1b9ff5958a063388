import { migrate } from '../../platform/db/migrate.ts'
import { applyGrants, issueWithRole } from '../../platform/db/grants.ts'
import { CommandError, defineCommand, text } from '../command.ts'
import { settingsOf, withDatabase } from '../store.ts'

export const prepareDatabase = defineCommand({
  name: 'database prepare',
  summary: 'Migrate the tables, and grant the web and worker roles their privileges.',
  notes:
    'Run it as the owner of the tables (DATABASE_URL), after each upgrade and before the processes start. All other privileges\nof the two roles are revoked. Neither may be the owner or a superuser.',
  args: {},
  options: { web: text('the role of ROLE=web'), worker: text('the role of ROLE=worker') },
  async run(roles, terminal) {
    await withDatabase(settingsOf(terminal), terminal, async ({ db, url }) => {
      for (const role of [roles.web, roles.worker]) {
        const issue = await issueWithRole(db, role)
        if (issue !== null) throw new CommandError(issue)
      }
      const applied = await migrate(url)
      await db.transaction().execute((transaction) => applyGrants(transaction, roles))
      terminal.say(`${applied.length} migrations applied; ${roles.web} and ${roles.worker} have their privileges.`)
    })
  },
})
