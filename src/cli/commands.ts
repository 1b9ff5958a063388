/** Every command, in the order of the help. */
import type { Command } from './command.ts'
import { AGENT_COMMANDS } from './commands/agents.ts'
import { createAdmin } from './commands/admin.ts'
import { verifyAudit } from './commands/audit.ts'
import { backup, restore } from './commands/backup.ts'
import { checkConfig } from './commands/config-check.ts'
import { prepareDatabase } from './commands/database.ts'
import { KEY_COMMANDS } from './commands/keys.ts'
import { EDGE_COMMANDS } from './commands/edges.ts'
import { INVENTORY_COMMANDS } from './commands/inventory.ts'
import { followEvents } from './customer/events.ts'
import { INVOICE_COMMANDS } from './customer/invoices.ts'
import { login, logout } from './customer/login.ts'
import { PREFIX_COMMANDS } from './customer/prefixes.ts'
import { ROUTER_COMMANDS } from './customer/routers.ts'
import { listReceivedRoutes, lookUpDestination } from './customer/looking-glass.ts'
import { showTransit } from './customer/transit.ts'

export const OPERATOR_COMMANDS: readonly Command[] = [
  checkConfig,
  createAdmin,
  ...INVENTORY_COMMANDS,
  ...EDGE_COMMANDS,
  ...AGENT_COMMANDS,
  backup,
  restore,
  verifyAudit,
  prepareDatabase,
  ...KEY_COMMANDS,
]

/** Commands over the public API, from anywhere. */
export const CUSTOMER_COMMANDS: readonly Command[] = [
  login,
  logout,
  ...ROUTER_COMMANDS,
  ...PREFIX_COMMANDS,
  showTransit,
  listReceivedRoutes,
  lookUpDestination,
  ...INVOICE_COMMANDS,
  followEvents,
]

export const COMMANDS: readonly Command[] = [...OPERATOR_COMMANDS, ...CUSTOMER_COMMANDS]
