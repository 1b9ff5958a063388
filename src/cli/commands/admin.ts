import { grantStaffRole } from '../../accounts/index.ts'
import { systemClock } from '../../kernel/clock.ts'
import { STAFF_ROLES } from '../../kernel/required-role.ts'
import { SYSTEM } from '../../platform/audit.ts'
import { choice, defineCommand, optional, text } from '../command.ts'
import { settingsOf, withTables } from '../store.ts'

export const createAdmin = defineCommand({
  name: 'admin create',
  summary: 'Make somebody staff: a new account with a link to set its password, or one that exists.',
  notes: 'The link works once, for an hour; run the command again for another. Give it to nobody else.',
  args: {},
  options: {
    email: text('their e-mail address'),
    name: text('their name, for example "Robin Teal"'),
    role: optional({ ...choice(...STAFF_ROLES), takes: `${STAFF_ROLES.join(', ')}; owner unless said otherwise` }),
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
      setPasswordUrl ? `${email} is staff and sets a password here:\n${setPasswordUrl}` : `${email} is staff.`,
    )
  },
})
