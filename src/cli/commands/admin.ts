import { grantStaffRole } from '../../accounts/index.ts'
import { systemClock } from '../../kernel/clock.ts'
import { STAFF_ROLES } from '../../kernel/required-role.ts'
import { SYSTEM } from '../../platform/audit.ts'
import { choice, defineCommand, optional, text } from '../command.ts'
import { settingsOf, withTables } from '../store.ts'

export const createAdmin = defineCommand({
  name: 'admin create',
  summary: 'Add a member of staff: an existing account, or a new one with a link to set its password.',
  notes: 'The link can be used once, within an hour. Run the command again for another. Keep it secret.',
  args: {},
  options: {
    email: text('the email address'),
    name: text('the full name, for example "Robin Teal"'),
    role: optional({ ...choice(...STAFF_ROLES), takes: `${STAFF_ROLES.join(', ')}; default: owner` }),
  },
  async run({ email, name, role }, terminal) {
    const config = settingsOf(terminal)
    const publicUrl = (): string => config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`
    const space = name.lastIndexOf(' ')
    const nameParts = space === -1 ? [name, name] : [name.slice(0, space), name.slice(space + 1)]
    const { setPasswordUrl } = await withTables(config, terminal, (db) =>
      grantStaffRole({ publicUrl, clock: systemClock }, db, SYSTEM, {
        email,
        firstName: nameParts[0]!,
        lastName: nameParts[1]!,
        role: role ?? 'owner',
      }),
    )
    terminal.say(
      setPasswordUrl ? `${email} is staff. To set the password, open:\n${setPasswordUrl}` : `${email} is staff.`,
    )
  },
})
