/** Where two records say different things about the same: other numbers, days or words in otherwise like sentences. */
import { cosine } from '../../../ai/vectors.ts'
import { first } from '../../../lib/values.ts'
import type { FoundPassage } from '../../search/load.ts'
import { fold, STOP_WORDS, wordsOf } from '../../search/words.ts'
import type { Conflict } from './answer.ts'

export interface Statement {
  text: string
  vector: Float32Array | undefined
  /** how well it fits the question */
  fit: number
}

type Compared = Statement & { vector: Float32Array }

interface PassageStatements {
  index: number
  passage: FoundPassage
  sentences: Statement[]
}

/** Kinds of record in which people write sentences; the fields of the others are facts of their own. */
const WRITTEN = [
  'note',
  'kb_page',
  'email_draft',
  'email_template',
  'chat_message',
  'activity',
  'transcription',
]

/** What a house writes for itself. */
const OWN = ['kb_page', 'email_template']

/** So alike must two sentences be to be about the same. */
const ALIKE = 0.62
const NEARLY_THE_SAME = 0.78

export function conflictsAmong(evidence: readonly PassageStatements[]): Conflict[] {
  const candidates = evidence
    .filter(one => one.passage.written && WRITTEN.includes(one.passage.entity_type))
    .flatMap(one => {
      const best = one.sentences.reduce<Statement | undefined>(
        (a, b) => (a && a.fit >= b.fit ? a : b),
        undefined,
      )
      if (!best?.vector || isSubject(one.passage, best.text)) return []
      return [{ ...one, best: { ...best, vector: best.vector } }]
    })
  const disagreeing = new Set<(typeof candidates)[number]>()
  for (const [i, a] of candidates.entries()) {
    for (const b of candidates.slice(i + 1)) {
      if (a.passage.entity_id === b.passage.entity_id) continue
      const least = leastLikeness(a.passage, b.passage)
      if (least !== undefined && disagree(a.best, b.best, least)) disagreeing.add(a).add(b)
    }
  }
  if (disagreeing.size === 0) return []
  const statements = [...disagreeing]
    .map(({ index, best, passage }) => ({
      index,
      text: best.text,
      updated_at: passage.updated_at,
      created_at: passage.created_at,
    }))
    .sort((a, b) => b.updated_at.localeCompare(a.updated_at) || b.created_at.localeCompare(a.created_at))
  return [{ statements: statements.map(({ created_at: _, ...statement }) => statement) }]
}

/** An activity's subject is its name, not a statement. */
const isSubject = ({ entity_type, name }: FoundPassage, text: string): boolean =>
  entity_type === 'activity' && name.startsWith(text.replace(/\.$/, ''))

/** How alike two sentences of the same record, or of none, must be; undefined when they are about others. */
function leastLikeness(a: FoundPassage, b: FoundPassage): number | undefined {
  const linkedNames = ({ context }: FoundPassage) =>
    first(context.split('\n'))
      .split(' · ')
      .filter(name => name !== '')
  const [one, other] = [linkedNames(a), linkedNames(b)]
  // pages are about many things that cost something: the price of a pilot is not that of a plan
  const isPage = [a, b].some(({ entity_type }) => OWN.includes(entity_type))
  if (one.length === 0 && other.length === 0) return isPage ? NEARLY_THE_SAME : ALIKE
  const isSame =
    one.some(name => other.includes(name) || fold(`${b.name} ${b.body}`).includes(fold(name))) ||
    other.some(name => fold(`${a.name} ${a.body}`).includes(fold(name)))
  return isSame ? ALIKE : undefined
}

function disagree(a: Compared, b: Compared, least: number): boolean {
  const likeness = cosine(a.vector, b.vector)
  if (likeness < least) return false
  const [one, other] = [valuesIn(a.text), valuesIn(b.text)]
  const differ = (x: string[], y: string[]) =>
    x.length > 0 && y.length > 0 && !x.some(value => y.includes(value))
  if (differ(one.numbers, other.numbers) || differ(one.days, other.days)) return true
  if (one.negated !== other.negated && likeness >= NEARLY_THE_SAME) return true
  return likeness >= NEARLY_THE_SAME && differByFewWords(a.text, b.text)
}

const DAYS =
  /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b|\bq[1-4]\b|\bend of (?:the )?(?:month|quarter|year)\b/g

function valuesIn(text: string) {
  const folded = fold(text).replace(/(\d)[,.](?=\d{3}\b)/g, '$1')
  return {
    numbers: (folded.match(/\d+(?:\.\d+)?(?: ?(?:k|m|%|million|thousand)\b)?/g) ?? []).map(number =>
      number.replace(/\s/g, ''),
    ),
    days: folded.match(DAYS) ?? [],
    negated: /\b(?:not|no longer|never|won't|isn't|doesn't|don't|cancelled|declined|rejected)\b/.test(folded),
  }
}

/** "prefers phone calls" and "prefers email": the same sentence but for its point. */
function differByFewWords(a: string, b: string): boolean {
  const tellingWords = (text: string) => new Set(wordsOf(text).filter(word => !STOP_WORDS.has(word)))
  const [one, other] = [tellingWords(a), tellingWords(b)]
  const common = [...one].filter(word => other.has(word)).length
  const [left, right] = [one.size - common, other.size - common]
  return common >= 2 && left >= 1 && right >= 1 && left <= 3 && right <= 3 && common >= Math.max(left, right)
}
