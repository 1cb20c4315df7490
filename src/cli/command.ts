/** What a command declares: its arguments, its help and what it does. */

export interface Option {
  type: 'string' | 'boolean'
  about: string
  short?: string
  /** what a value is called in the help: `file` */
  value?: string
  /** the possible values */
  values?: readonly string[]
}

export type Options = Readonly<Record<string, Option>>

type ValueOf<T extends Option['type']> = T extends 'boolean' ? boolean : string | undefined
type Values<O extends Options> = { [K in keyof O]: ValueOf<O[K]['type']> }

export interface Call<O extends Options = Options> {
  values: Values<O>
  /** as many as the command declares; optional ones may be missing at the end */
  positionals: readonly string[]
}

interface Declared<O extends Options> {
  summary: string
  /** more than the summary, a paragraph */
  about?: string
  /** `<file>` is required, `[file]` is optional */
  positionals?: readonly string[]
  options?: O
  examples?: readonly string[]
  run(call: Call<O>): Promise<void>
}

export interface Command extends Required<Omit<Declared<Options>, 'run' | 'about'>> {
  about: string
  run(call: Call): Promise<void>
}

/** Commands with a first name in common: `keys create`, `keys list`. */
export interface CommandGroup {
  summary: string
  commands: Readonly<Record<string, Command>>
}

export type CommandTable = Readonly<Record<string, Command | CommandGroup>>

export const isGroup = (entry: Command | CommandGroup): entry is CommandGroup => 'commands' in entry

export function command<const O extends Options>(declared: Declared<O>): Command {
  return {
    about: '',
    positionals: [],
    examples: [],
    ...declared,
    options: declared.options ?? {},
    // parse.ts returns the values as the options declare them
    run: call => declared.run(call as Call<O>),
  }
}

/** Wrong usage: exit code 2. */
export class UsageError extends Error {}

/** For commands whose result scripts read. */
export const json = { type: 'boolean', about: 'print JSON' } as const
