import { type Command, type CommandTable, command, isGroup } from './command.ts'
import { commandHelp, groupHelp, overview } from './help.ts'
import { choose } from './parse.ts'

export const help = (table: () => CommandTable): Command =>
  command({
    summary: 'shows the commands, or the options and examples of one',
    positionals: ['[command]', '[subcommand]'],
    examples: ['kith help import'],
    async run({ positionals }) {
      const [first] = positionals
      if (first === undefined) return console.log(overview(table()))
      const entry = table()[first]
      if (entry && isGroup(entry) && positionals.length === 1)
        return console.log(groupHelp(first, entry.commands))
      const { name, command } = choose(table(), positionals)
      console.log(commandHelp(name, command))
    },
  })
