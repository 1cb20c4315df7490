/** The texts of `kith help` and `kith help <command>`. */
import { type Command, type CommandTable, isGroup, type Option } from './command.ts'

export function overview(table: CommandTable): string {
  const entries = Object.entries(table).map(([name, entry]): [string, string] =>
    isGroup(entry)
      ? [`kith ${name} ${Object.keys(entry.commands).join('|')}`, entry.summary]
      : [['kith', name, ...entry.positionals].join(' '), entry.summary],
  )
  return [
    'Usage: kith <command> [options]',
    '',
    columns(entries),
    '',
    '`kith help <command>` shows its options and examples.',
    'Settings come from the environment or from a file .env; the README lists them.',
  ].join('\n')
}

export function groupHelp(name: string, commands: Readonly<Record<string, Command>>): string {
  return Object.entries(commands)
    .map(([second, one]) => commandHelp(`${name} ${second}`, one))
    .join('\n\n')
}

export function commandHelp(
  name: string,
  { summary, about, positionals, options, examples }: Command,
): string {
  const entries = Object.entries(options).map(([key, option]): [string, string] => [
    label(key, option),
    described(option),
  ])
  const usage = ['Usage: kith', name, ...positionals, ...(entries.length > 0 ? ['[options]'] : [])].join(' ')
  const parts = [usage, sentence(summary), ...(about ? [about] : [])]
  if (entries.length > 0) parts.push(`Options:\n${columns(entries)}`)
  if (examples.length > 0) parts.push(`Examples:\n${examples.map(line => `  ${line}`).join('\n')}`)
  return parts.join('\n\n')
}

/** A longer list of values is shown after the option's description. */
const SHORT_LIST = 24
const isShort = (values: readonly string[]) => values.join('|').length <= SHORT_LIST

function label(key: string, { short, type, value = 'value', values }: Option): string {
  const shown = values && isShort(values) ? values.join('|') : `<${value}>`
  return `${short ? `-${short}, ` : ''}--${key}${type === 'string' ? ` ${shown}` : ''}`
}

const described = ({ about, values }: Option): string =>
  values && !isShort(values) ? `${about}: ${values.join(', ')}` : about

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

function columns(entries: readonly (readonly [string, string])[]): string {
  const width = Math.max(...entries.map(([left]) => left.length))
  return entries.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}
