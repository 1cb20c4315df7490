/** `kith completion`: scripts for shells, made from the table of commands. */
import {
  type Command,
  type CommandGroup,
  type CommandTable,
  command,
  isGroup,
  UsageError,
} from './command.ts'

/** `keys create` → its options; `keys` → its subcommands. */
function words(table: CommandTable): Map<string, string[]> {
  const lists = new Map<string, string[]>([['', Object.keys(table)]])
  const add = (name: string, { options }: Command) =>
    lists.set(
      name,
      [...Object.keys(options), 'help'].map(option => `--${option}`),
    )
  for (const [name, entry] of Object.entries(table)) {
    if (!isGroup(entry)) add(name, entry)
    else {
      lists.set(name, Object.keys(entry.commands))
      for (const [second, one] of Object.entries(entry.commands)) add(`${name} ${second}`, one)
    }
  }
  return lists
}

const caseOf = (key: string, list: readonly string[]) => `    '${key}') echo '${list.join(' ')}' ;;`

/** The case statement that bash and zsh share. */
const lists = (table: CommandTable) => `_kith_words() {
  case "$1" in
${[...words(table)].map(([key, list]) => caseOf(key, list)).join('\n')}
  esac
}`

/** Words of the command line, without options, choose the list. Other words complete to files. */
const bash = (table: CommandTable) => `${lists(table)}
_kith() {
  local current="\${COMP_WORDS[COMP_CWORD]}" key="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] && continue
    [[ -n $(_kith_words "\${key:+$key }$word") ]] && key="\${key:+$key }$word"
  done
  COMPREPLY=($(compgen -W "$(_kith_words "$key")" -- "$current"))
  [[ \${#COMPREPLY[@]} -eq 0 ]] && COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _kith kith
`

/** The file is called by the first completion as the function _kith, or sourced. */
const zsh = (table: CommandTable) => `#compdef kith
${lists(table)}
_kith() {
  local key="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] && continue
    [[ -n $(_kith_words "\${key:+$key }$word") ]] && key="\${key:+$key }$word"
  done
  compadd -- \${=$(_kith_words "$key")} || _files
}
if [[ $funcstack[1] == _kith ]]; then _kith "$@"; else compdef _kith kith; fi
`

function fish(table: CommandTable): string {
  const lines = Object.entries(table).flatMap(([name, entry]) => {
    const line = `complete -c kith -n __fish_use_subcommand -f -a ${name} -d ${quoted(entry.summary)}`
    return [line, ...(isGroup(entry) ? groupLines(name, entry) : optionLines(seen(name), entry))]
  })
  return `${lines.join('\n')}\n`
}

const seen = (...names: string[]) => `__fish_seen_subcommand_from ${names.join(' ')}`

function groupLines(name: string, { commands }: CommandGroup): string[] {
  const names = Object.keys(commands)
  const isOpen = `${seen(name)}; and not ${seen(...names)}`
  return Object.entries(commands).flatMap(([second, one]) => [
    `complete -c kith -n ${quoted(isOpen)} -f -a ${second} -d ${quoted(one.summary)}`,
    ...optionLines(`${seen(name)}; and ${seen(second)}`, one),
  ])
}

/** An option with a value completes to its values, or to files. */
const optionLines = (condition: string, { options }: Command): string[] =>
  Object.entries(options).map(([key, { about, type, values }]) => {
    const value = type === 'boolean' ? '' : values ? ` -x -a ${quoted(values.join(' '))}` : ' -r'
    return `complete -c kith -n ${quoted(condition)} -l ${key}${value} -d ${quoted(about)}`
  })

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const SHELLS = { bash, zsh, fish } as const

export const completion = (table: () => CommandTable): Command =>
  command({
    summary: 'prints the completion for bash, zsh or fish',
    positionals: ['<bash|zsh|fish>'],
    examples: [
      'source <(kith completion bash)',
      'kith completion zsh > ~/.zfunc/_kith',
      'kith completion fish > ~/.config/fish/completions/kith.fish',
    ],
    async run({ positionals: [name = ''] }) {
      const shell = Object.entries(SHELLS).find(([shell]) => shell === name)?.[1]
      if (!shell) throw new UsageError(`Completion is for ${Object.keys(SHELLS).join(', ')}, not "${name}".`)
      process.stdout.write(shell(table()))
    },
  })
