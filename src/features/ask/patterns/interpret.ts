/**
 * A question about the data → what to ask the database. A small grammar: kinds of record, their fields, values that
 * the account holds, times, amounts, and what is wanted of them. Every word must be understood; a question with
 * words left over is not about the data, and is answered from what the records say.
 */
import type { Ctx } from '../../../kernel/context.ts'
import { type Asked, asksFor, kindIn } from './grammar/about-data.ts'
import { amountIn } from './grammar/amounts.ts'
import { build } from './grammar/build.ts'
import { contactedIn } from './grammar/contacted.ts'
import { withFigures } from './grammar/figures.ts'
import { flagsIn } from './grammar/flags.ts'
import { figureOf, kindOf } from './grammar/kind.ts'
import { lastContact } from './grammar/last-contact.ts'
import { mentionsIn } from './grammar/mentions.ts'
import { NOUNS } from './grammar/nouns.ts'
import { unreadOperator } from './grammar/operators.ts'
import { plainly } from './grammar/phrases.ts'
import { lackingIn } from './grammar/planned.ts'
import { isTooLong, tidy } from './grammar/question.ts'
import { leftOver, type Reading, says } from './grammar/reading.ts'
import { timeIn } from './grammar/times.ts'
import { corrected } from './grammar/typos.ts'
import { vocabularyOf } from './grammar/vocabulary.ts'
import type { Plan } from './plan.ts'
import { readsTwo } from './reads-two.ts'

/** "what percentage of our deals do we win" */
const PERCENTAGE =
  / (?:what |which )?percent(?:age)? of (?:our |the |all )*deals (?:(?:do|did|have|are|were|that|we) )*(?:win|won) /

interface Interpretation {
  plan: Plan | undefined
  /** what of the data it asks for, by its first words */
  asked: Asked | undefined
  /** words that were not understood */
  left: string[]
  /** all of it was understood but for this word, like or, all, if: an answer would be one to another question */
  unread?: string
}

export async function interpret(
  ctx: Ctx,
  question: string,
  types: readonly string[],
  now = new Date(),
): Promise<Plan | undefined> {
  return (await reads(ctx, question, types, now)).plan
}

/** The same, with what stood in the way when there is no plan. */
export async function reads(
  ctx: Ctx,
  question: string,
  types: readonly string[],
  now = new Date(),
): Promise<Interpretation> {
  // Nobody asks for figures at such length, and reading it would block the process.
  if (isTooLong(question)) return { plan: undefined, asked: undefined, left: [] }
  const one = (asked: string) => readsOne(ctx, asked, types, now)
  const alone = await one(question)
  if (alone.plan?.groupBy || alone.plan?.measure.kind === 'win rate') return alone
  const two = await readsTwo(ctx, question, types, async asked => (await one(asked)).plan)
  if (two) return { plan: two, asked: undefined, left: [] }
  const rest = alone.plan ? undefined : await withoutPreamble(ctx, question, types)
  const after = rest === undefined ? undefined : await one(rest)
  return after?.plan ? after : alone
}

/** "For my report: open deals by stage". Who names somebody before the colon asks about them. */
async function withoutPreamble(
  ctx: Ctx,
  question: string,
  types: readonly string[],
): Promise<string | undefined> {
  const [, preamble, rest] = /^([^:!]{3,60})[:!] +(.{12,})$/s.exec(question.trim()) ?? []
  if (preamble === undefined) return undefined
  const { mentions } = await mentionsIn(ctx, preamble, await vocabularyOf(ctx), types)
  return mentions.length === 0 ? rest : undefined
}

async function readsOne(
  ctx: Ctx,
  question: string,
  types: readonly string[],
  now: Date,
): Promise<Interpretation> {
  const vocabulary = await vocabularyOf(ctx)
  const { text: read, mentions } = await mentionsIn(ctx, question, vocabulary, types)
  const words = corrected(withFigures(read, vocabulary))
  const text = plainly(words).replace(PERCENTAGE, ' win rate ')
  const reading: Reading = {
    ctx,
    now,
    text,
    vocabulary,
    mentions,
    conditions: [],
    span: undefined,
    amount: undefined,
    flags: [],
    currency: undefined,
  }
  const plan = planOf(reading, types)
  const unread = leftOver(reading)
  const operator =
    plan && unread.length === 0 ? unreadOperator(words, mentions, plan, reading.text) : undefined
  if (operator !== undefined) return { plan: undefined, asked: undefined, left: [], unread: operator }
  if (plan && unread.length === 0) return { plan, asked: undefined, left: [] }
  // who asks for a country that nobody is in is not told of another
  const left = [...unread, ...mentions.flatMap(({ isAbsent, said }) => (isAbsent ? said.split(' ') : []))]
  const plain = plainly(tidy(question))
  // "show me the Acme renewal" asks for all that is said of it
  const isNamed = unread.length === 0 && mentions.some(({ records }) => records)
  const about = asksFor(plain)
  const asked = isNamed && about === 'list' ? undefined : about
  return { plan: undefined, asked, left: asked === 'figure' ? [...left, ...kindIn(plain)] : left }
}

function planOf(reading: Reading, types: readonly string[]): Plan | undefined {
  const past = says(
    reading,
    /did|was|were|won|lost|closed|created|added|completed|made|held|happened|sent|had|spoke|spoken|talked|met|contacted|haven t|hasn t|didn t|never|(?:have|has) (?:we|i|¤) (?:not|never|called|phoned|visited|emailed)|logged|have not|has not|not been|no (?:recent )?(?:activity|contact)|without (?:any )?(?:activity|contact)|nobody|inactive|idle|untouched|stuck|touched|reached|heard|interacted|sales|booked|bookings|signed|been|sitting|sat|parked|waiting|in (?:stage )?¤(?: stage| phase)? for/,
  )
  const last = lastContact(reading)
  if (last) return types.includes('activity') ? last : undefined

  const time = timeIn(reading.text, reading.now, past)
  if (time) {
    reading.span = time.span
    reading.text = time.rest
  }
  reading.amount = amountIn(reading.text)
  if (reading.amount) reading.text = reading.amount.rest
  reading.flags = flagsIn(reading)
  const touch = { contacted: contactedIn(reading), lacking: lackingIn(reading) }
  const entity = kindOf(reading)
  if (!entity || !types.includes(entity) || reading.flags.some(({ kind }) => kind !== entity))
    return undefined
  if (isImplied(reading) && OTHERWISE.test(reading.text)) return undefined
  reading.conditions.push(...reading.flags.map(({ condition }) => condition))
  const who = whoIsIt(reading)
  const plan = who === 'somebody else' ? undefined : build(reading, entity, touch)
  return plan && who === 'a contact' ? { ...plan, isUnknown: true } : plan
}

/** No kind of record is said: it is taken from a value that happens to stand in a field, "the Dublin show". */
const isImplied = (reading: Reading): boolean => {
  const { text, mentions } = reading
  return (
    mentions.some(({ records, values }) => !records && values.length > 0) &&
    // "customer" says it
    !mentions.some(({ values }) => values.some(({ field }) => field === 'status')) &&
    !NOUNS.some(([, pattern]) => says({ text }, pattern)) &&
    // "the number of Signature pallets" asks for a figure that the account has declared
    figureOf(reading) === undefined
  )
}
/** Then words that tell nothing beside a kind of record ask for something else. */
const OTHERWISE = / (?:when|stands?|number|g[ai]ve|given|after|records?|dates?|names?|sen[dt]|ma[dk]e) /

/** "who is the CFO of Acme" asks for a contact; "who is the president of France" does not. */
function whoIsIt({ text, mentions }: Reading): 'a contact' | 'somebody else' | undefined {
  const titled = mentions.some(({ values }) =>
    values.some(({ field }) => field === 'job_title' || field === 'department'),
  )
  if (
    !titled ||
    !/^ (?:who|what) (?:(?:is|was|are) )?(?:(?:the|our|their|your) )?(?:current |new )?¤/.test(text)
  )
    return undefined
  if (mentions.some(({ records }) => records)) return 'a contact'
  return / ¤ of (?:the )?¤ /.test(text) ? 'somebody else' : undefined
}
