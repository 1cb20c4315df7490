/** A question that leans on the one before it → a whole one, or straight what to ask the database. */
import type { Ctx } from '../../../../kernel/context.ts'
import { mentionsIn } from '../grammar/mentions.ts'
import { leftOver } from '../grammar/reading.ts'
import { vocabularyOf } from '../grammar/vocabulary.ts'
import { interpret } from '../interpret.ts'
import type { Plan } from '../plan.ts'
import type { Memory, Subject } from './memory.ts'
import { type Signs, signsIn, withNames } from './signs.ts'
import { fieldsOfSubjects, listOfSubjects, tiedToSubjects } from './subjects.ts'
import { swapped } from './swap.ts'

export interface Understood {
  /** to stand alone; null when words cannot say it */
  question: string | null
  /** the first that finds something answers */
  plans?: Plan[]
}

const MAX_WORDS = 14
/** So short is a question that says half of what it means. */
const FRAGMENT_WORDS = 6

/** Undefined: it stands alone. `fragment`: it gave no answer alone, so even a few bare words may lean on the last. */
export async function followUp(
  ctx: Ctx,
  question: string,
  types: readonly string[],
  memory: Memory,
  fragment = false,
): Promise<Understood | undefined> {
  const signs = signsIn(question)
  const words = signs.text.trim().split(' ').length
  if (words > MAX_WORDS || (fragment && words > FRAGMENT_WORDS)) return undefined
  const leans =
    signs.points || signs.leads || signs.counts || (signs.standsIn && !(await names(ctx, signs, types)))
  if (!leans && !fragment) return undefined
  const alone = signs.asks && !signs.points && !signs.standsIn && !signs.counts
  if (alone && (signs.namesKind || (await names(ctx, signs, types)))) {
    const plan = await interpret(ctx, signs.rest, types)
    if (plan && plan.conditions.length > 0) return { question: signs.rest.trim(), plans: [plan] }
  }
  const about = subjectsOf(memory, signs)
  if (signs.counts) return sameAgain(ctx, memory, types, 'count')
  if (signs.points && signs.nth === undefined && leftOver({ text: signs.rest }).length === 0) {
    const same = / (?:list|show|name|give|which) /.test(signs.text)
    if (same) return sameAgain(ctx, memory, types, 'list')
  }
  const rewritten =
    memory.question === null ? undefined : await fromQuestion(ctx, signs, memory.question, types)
  if (rewritten && (signs.narrows || !(signs.points || signs.standsIn))) return rewritten
  const ofRecords = about.length === 0 ? undefined : await fromSubjects(ctx, question, signs, memory, types)
  return ofRecords ?? rewritten ?? inWords(question, signs, about)
}

/** Does it name a record itself, that its pronoun may stand for? */
async function names(ctx: Ctx, { text }: Signs, types: readonly string[]): Promise<boolean> {
  const { mentions } = await mentionsIn(ctx, text, await vocabularyOf(ctx), types)
  return mentions.some(mention => mention.records !== undefined)
}

function subjectsOf({ about }: Memory, { nth }: Signs): Subject[] {
  if (nth === undefined) return about
  const one = about.at(nth)
  return one ? [one] : []
}

/** "how many are there", "list them". */
async function sameAgain(
  ctx: Ctx,
  memory: Memory,
  types: readonly string[],
  kind: 'count' | 'list',
): Promise<Understood | undefined> {
  const plan = memory.question === null ? undefined : await interpret(ctx, memory.question, types)
  if (plan && !['last contact', 'field', 'compared', 'share'].includes(plan.measure.kind)) {
    const { order: _, groupBy: _group, top: _top, ...rest } = plan
    return { question: memory.question, plans: [{ ...rest, measure: { kind } }] }
  }
  const known = memory.complete ? listOfSubjects(ctx, memory.about) : undefined
  return known && { question: memory.question, plans: [{ ...known, measure: { kind } }] }
}

/** With one thing exchanged, or with more said. */
async function fromQuestion(
  ctx: Ctx,
  signs: Signs,
  before: string,
  types: readonly string[],
): Promise<Understood | undefined> {
  const other = signs.narrows && !signs.leads ? undefined : await swapped(ctx, before, signs.rest, types)
  if (other !== undefined) {
    const plan = await interpret(ctx, other, types)
    // not a question about the data, and none before: its words are asked for again with another name
    return { question: other, ...(plan ? { plans: [plan] } : {}) }
  }
  const longer = `${before.replace(/[?!.\s]+$/, '')} ${signs.rest.trim()}`
  const [was, is] = [await interpret(ctx, before, types), await interpret(ctx, longer, types)]
  const says = (plan: Plan) => plan.conditions.length + (plan.order ? 1 : 0) + (plan.groupBy ? 1 : 0)
  if (!was || !is || was.entity !== is.entity) return undefined
  const more = says(is) > says(was) || (says(is) === says(was) && is.measure.kind !== was.measure.kind)
  return more ? { question: longer, plans: [is] } : undefined
}

async function fromSubjects(
  ctx: Ctx,
  question: string,
  signs: Signs,
  memory: Memory,
  types: readonly string[],
): Promise<Understood | undefined> {
  const about = subjectsOf(memory, signs)
  const named = about.length === 1 ? withNames(question, about) : null
  const fields = await fieldsOfSubjects(ctx, signs.rest, about, types)
  // the records are still the same ones
  if (fields.own.length > 0)
    return { question: named ?? (signs.nth === undefined ? memory.question : null), plans: fields.own }
  const tied =
    signs.points || signs.standsIn ? await tiedToSubjects(ctx, signs.rest, about, types) : undefined
  const plans = tied ? [tied] : fields.others
  return plans.length === 0 ? undefined : { question: named, plans }
}

/** No question about the data: the records' own words may answer it when it is said whom it is about. */
function inWords(question: string, signs: Signs, about: readonly Subject[]): Understood | undefined {
  if (about.length === 0 || about.length > 3 || !(signs.points || signs.standsIn)) return undefined
  return { question: withNames(question, about) }
}
