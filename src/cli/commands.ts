/** Every command, in the order of the help. A new one is a file beside this and a line here. */
import { backup } from './backup.ts'
import type { CommandTable } from './command.ts'
import { completion } from './completion.ts'
import { demo } from './demo.ts'
import { doctor } from './doctor/index.ts'
import { exportRecords } from './export.ts'
import { help } from './help-command.ts'
import { importFile } from './import.ts'
import { keys } from './keys.ts'
import { mcp } from './mcp.ts'
import { migrateDatabase } from './migrate.ts'
import { openapi } from './openapi.ts'
import { query } from './query.ts'
import { restore } from './restore.ts'
import { start } from './start.ts'
import { users } from './users.ts'
import { web } from './web.ts'
import { worker } from './worker.ts'

export const commands: CommandTable = {
  start,
  worker,
  migrate: migrateDatabase,
  doctor,
  keys,
  users,
  import: importFile,
  export: exportRecords,
  query,
  mcp,
  backup,
  restore,
  demo,
  openapi,
  web,
  completion: completion(() => commands),
  help: help(() => commands),
}
