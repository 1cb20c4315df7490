/** The sets: records and texts in `<name>.json`, questions about the data with the answers worked out in `<name>.ts`. */
import { readFileSync } from 'node:fs'
import { day, inMonth, workday } from './reckon.ts'
import type { DataQuestion, Questions, World } from './types.ts'

export const SETS = ['third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'] as const

interface Stored {
  about: string
  world: World
  questions: Omit<Questions, 'data' | 'facts'> & { facts: [question: string, patterns: string[]][] }
}

const DATES: Readonly<Record<string, (...numbers: number[]) => string>> = {
  day,
  workday,
  month: inMonth,
  monthday: (offset = 0, date = 1) => inMonth(offset, date).slice(5),
}

/** Dates are counted from today: `@day(-3)`, `@workday(10)`, `@month(1, 15)` is the 15th of next month. */
const dated = (text: string): string =>
  text.replace(/@(day|workday|month|monthday)\(([^)]*)\)/g, (_, unit: string, numbers: string) =>
    DATES[unit]!(...numbers.split(',').map(Number)),
  )

const stored = (name: string): Stored =>
  JSON.parse(dated(readFileSync(new URL(`./${name}.json`, import.meta.url), 'utf8')))

/** `/text/i`, or the text alone. */
const pattern = (text: string): RegExp => {
  const [, source, flags] = /^\/(.*)\/(\w+)$/.exec(text) ?? []
  return new RegExp(source ?? text, flags)
}

export const worldOf = (name: string): World => stored(name).world

export async function setOf(name: string): Promise<{ world: World; questions: Questions }> {
  const { world, questions } = stored(name)
  const { data }: { data: readonly DataQuestion[] } = await import(`./${name}.ts`)
  const facts = questions.facts.map(([question, patterns]) => [question, patterns.map(pattern)] as const)
  return { world, questions: { ...questions, data, facts } }
}
