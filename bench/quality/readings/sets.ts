/** All sets of data questions as accounts in memory, with a check of each answer. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Memory } from '../../../src/features/ask/testing/memory.testing.ts'
import type { Meaning } from '../../../src/features/ask/understand/meaning.ts'
import { inMemory as blindInMemory } from '../blind/in-memory.ts'
import { type Answer, type BlindSet, fits, type Question } from '../blind/judge.ts'
import { inMemory } from '../in-memory.ts'
import { wrong } from '../strangers/judge.ts'
import { SETS as STRANGERS, setOf } from '../strangers/sets.ts'

type FullAnswer = Parameters<typeof wrong>[1]

export interface Asked {
  question: string
  expected: unknown
  /** of a question that the records do not answer no reading is right */
  isRight(answer: FullAnswer): boolean
  about: string
  /** as its writer wrote it down (`meant.ts`) */
  meant?: Meaning | null | undefined
}

export interface LoadedSet {
  name: string
  memory: Memory
  questions: Asked[]
}

/** The sets of the blind format. */
const BLIND = readdirSync(new URL('../blind', import.meta.url))
  .filter(name => name.endsWith('.json'))
  .map(name => name.replace('.json', ''))

/** `folder`: further sets of the blind format. */
export function setNames(folder: string | undefined): string[] {
  const more = folder ? readdirSync(folder).filter(name => name.endsWith('.json')) : []
  return [...more.map(name => `${folder}/${name}`), ...BLIND, ...STRANGERS]
}

/** `a1+`: the questions of set a1 in other people's words, with the same answers (`quality/rephrased`). */
export async function loadSet(name: string): Promise<LoadedSet> {
  return name.endsWith('+') ? rephrased(await loadWritten(name.slice(0, -1))) : loadWritten(name)
}

function rephrased({ name, memory, questions }: LoadedSet): LoadedSet {
  const file = new URL(`../rephrased/${name}.json`, import.meta.url)
  const wordings: Record<string, string[]> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const others = questions.flatMap(asked =>
    (wordings[asked.question] ?? []).map(question => ({ ...asked, question })),
  )
  return { name: `${name}+`, memory, questions: others }
}

async function loadWritten(name: string): Promise<LoadedSet> {
  if (STRANGERS.some(one => one === name)) return strangers(name)
  const path = BLIND.includes(name) ? new URL(`../blind/${name}.json`, import.meta.url) : name
  const set: BlindSet = JSON.parse(readFileSync(path, 'utf8'))
  const memory = await blindInMemory(set)
  const questions = set.questions.map(one => ({
    question: one.question,
    expected: one.expected ?? null,
    isRight: (answer: FullAnswer) =>
      one.kind !== 'refuse' && one.about !== 'text' && answer.grounded && isExactly(one, answer),
    about: one.kind === 'refuse' ? 'refuse' : (one.about ?? 'data'),
    meant: one.meant,
  }))
  return { name: name.replace(/^.*\//, '').replace('.json', ''), memory, questions }
}

/** As the service is judged, and no more records than those expected: of many readings one would name them by chance. */
function isExactly({ kind, expected }: Question, answer: FullAnswer & Answer): boolean {
  if (!fits(kind, expected, answer)) return false
  if (kind === 'number') return isFigure(Number(expected), answer)
  if (kind !== 'names') return true
  const names = [expected ?? []].flat().map(String)
  const { citations } = answer as unknown as { citations: { name: string }[] }
  const areNamed = names.every(name => citations.some(citation => citation.name.includes(name)))
  return areNamed ? citations.length <= names.length + 1 : true
}

/** The figure itself, not one that is in the text by chance. */
function isFigure(expected: number, { answer, data }: FullAnswer): boolean {
  const { figures, groups, sides, count } = (data ?? {}) as {
    figures?: { value: unknown }[]
    groups?: { value: unknown }[]
    sides?: unknown
    count?: number
  }
  const isNear = (value: unknown) => Math.abs(Number(value) - expected) < 0.51
  const [, share] = /^(?:Win rate: )?(\d+(?:\.\d+)?) ?%/.exec(answer) ?? []
  if (share !== undefined) return isNear(share)
  if (figures && !sides) return figures.some(({ value }) => isNear(value))
  if (groups) return groups.length === expected || groups.some(({ value }) => isNear(value))
  const text = answer.replace(/\[\d+\]/g, ' ').match(/\d[\d,]*(?:\.\d+)?/g) ?? []
  const isCounted = /^(?:Yes, |No: )?\d+ \w+/.test(answer)
  return isCounted ? count === expected : text.some(digits => isNear(digits.replaceAll(',', '')))
}

async function strangers(name: string): Promise<LoadedSet> {
  const { world, questions } = await setOf(name)
  const memory = await inMemory(world)
  const records = new Map(
    memory.items.map(item => [
      item.id,
      { id: item.id, name: String(item.name ?? item.full_name ?? item.subject), text: '' },
    ]),
  )
  const filled = { records, keyOf: new Map([...records.keys()].map(key => [key, key])) }
  const data = questions.data.map(([question, expected]) => ({
    question,
    expected,
    isRight: (answer: FullAnswer) => answer.grounded && wrong(expected, answer, filled) === undefined,
    about: 'data',
  }))
  const others = [...questions.unanswerable, ...questions.facts.map(([question]) => question)]
  const refused = others.map(question => ({
    question,
    expected: null,
    isRight: () => false,
    about: 'refuse',
  }))
  return { name, memory, questions: [...data, ...refused] }
}
