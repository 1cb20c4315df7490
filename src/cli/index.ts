/** Runs the command that the arguments name. Exit codes: 0 success, 1 failure, 2 wrong usage. */

import { UsageError } from './command.ts'
import { commands } from './commands.ts'
import { explain } from './failure.ts'
import { choose, parse } from './parse.ts'

export async function main(args: readonly string[]): Promise<void> {
  // A command may wait for a thread that does not keep the process alive.
  const running = setInterval(() => {}, 2 ** 30)
  try {
    const chosen = choose(commands, withHelp(args))
    await chosen.command.run(parse(chosen))
  } catch (error) {
    console.error(explain(error))
    process.exit(error instanceof UsageError ? 2 : 1)
  } finally {
    clearInterval(running)
  }
}

/** `kith keys create --help` is `kith help keys create`. */
function withHelp(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--')
  const asked = args.findIndex(one => one === '--help' || one === '-h')
  if (asked < 0 || (end >= 0 && asked > end)) return args
  const words = args.slice(0, asked).filter(one => !one.startsWith('-'))
  return ['help', ...words.slice(0, 2)]
}
