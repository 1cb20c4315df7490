/** Arguments → the command they name and its values; what is wrong is a UsageError with the nearest name. */
import { parseArgs } from 'node:util'
import { nearest } from '../kernel/nearest.ts'
import { type Call, type Command, type CommandTable, isGroup, type Option, UsageError } from './command.ts'

export interface Chosen {
  /** `keys create` */
  name: string
  command: Command
  args: readonly string[]
}

/** The command that the first words name. */
export function choose(table: CommandTable, args: readonly string[]): Chosen {
  const [first = 'start', second, ...rest] = args
  const entry = table[first]
  if (entry === undefined) throw unknownCommand(first, Object.keys(table))
  if (!isGroup(entry)) return { name: first, command: entry, args: args.slice(1) }
  const command = second === undefined ? undefined : entry.commands[second]
  if (command) return { name: `${first} ${second}`, command, args: rest }
  const names = Object.keys(entry.commands)
  if (second === undefined || second.startsWith('-'))
    throw new UsageError(`kith ${first} needs one of ${names.join(', ')}; see kith help ${first}.`)
  throw unknownCommand(`${first} ${second}`, names)
}

function unknownCommand(name: string, names: readonly string[]): UsageError {
  const suggestion = nearest(name.split(' ').at(-1) ?? name, names)
  const meant = suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`
  return new UsageError(`Kith does not know the command "${name}"; it knows ${names.join(', ')}.${meant}`)
}

export function parse({ name, command, args }: Chosen): Call {
  const { options } = command
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(options).map(([key, { type, short }]) => [key, typed(type, short)]),
    ),
    strict: false,
    tokens: true,
  })
  const values: Record<string, string | boolean | undefined> = Object.fromEntries(
    Object.entries(options).map(([key, { type }]) => [key, type === 'boolean' ? false : undefined]),
  )
  const positionals: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined
    if (!option) throw unknownOption(name, token.rawName, Object.keys(options))
    values[token.name] = readValue(token.rawName, option, token.value)
  }
  checkCount(name, command, positionals)
  return { values, positionals }
}

const typed = (type: Option['type'], short: string | undefined) => ({ type, ...(short ? { short } : {}) })

function readValue(name: string, option: Option, value: string | undefined): string | boolean {
  if (option.type === 'boolean') {
    if (value !== undefined) throw new UsageError(`${name} takes no value.`)
    return true
  }
  if (value === undefined || (value.startsWith('--') && value.length > 2))
    throw new UsageError(`${name} needs a value: ${name} <${option.value ?? 'value'}>.`)
  if (option.values && !option.values.includes(value))
    throw new UsageError(`${name} must be one of ${option.values.join(', ')}, not "${value}".`)
  return value
}

function unknownOption(command: string, given: string, names: readonly string[]): UsageError {
  const suggestion = nearest(given, names)
  const meant = suggestion === undefined ? `see kith help ${command}` : `did you mean --${suggestion}?`
  return new UsageError(`kith ${command} does not know the option ${given}; ${meant}`)
}

function checkCount(name: string, { positionals }: Command, given: readonly string[]): void {
  const missing = positionals.filter(one => one.startsWith('<'))[given.length]
  if (missing !== undefined) throw new UsageError(`kith ${name} needs ${missing}; see kith help ${name}.`)
  const extra = given[positionals.length]
  if (extra !== undefined)
    throw new UsageError(`kith ${name} does not know what to do with "${extra}"; see kith help ${name}.`)
}
