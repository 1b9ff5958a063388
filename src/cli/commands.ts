/** Every command, in the order of the help. */
import type { Command } from './command.ts'
import { createAdmin } from './commands/admin.ts'
import { verifyAudit } from './commands/audit.ts'
import { backup, restore } from './commands/backup.ts'
import { checkConfig } from './commands/config-check.ts'
import { STOCK_COMMANDS } from './commands/stock.ts'

export const COMMANDS: readonly Command[] = [checkConfig, createAdmin, ...STOCK_COMMANDS, backup, restore, verifyAudit]
