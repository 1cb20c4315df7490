/** What the running service does for commands of the installation. */
import { embeddedSource } from '../backup/sources.ts'
import { openBackup } from '../backup/write.ts'
import type { LocalCommands } from './channel.ts'

export const localCommands: LocalCommands = {
  backup: ({ config, engine }) => openBackup(embeddedSource(config, engine)),
}
