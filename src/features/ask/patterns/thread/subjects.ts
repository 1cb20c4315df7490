/** Questions about the records of the answer before: one of their fields, what is tied to them, some of them. */
import { sql } from 'kysely'
import type { Ctx } from '../../../../kernel/context.ts'
import { type Field, type Kind, TABLES, tiedTo } from '../fields/index.ts'
import { NOUNS } from '../grammar/nouns.ts'
import { bounded, leftOver } from '../grammar/reading.ts'
import { vocabularyOf } from '../grammar/vocabulary.ts'
import { interpret } from '../interpret.ts'
import type { Condition, Plan } from '../plan.ts'
import type { Subject } from './memory.ts'

const isKind = (type: string): type is Kind => Object.hasOwn(TABLES, type)
const kindsOf = (about: readonly Subject[]): Kind[] => [
  ...new Set(about.map(subject => subject.entity_type).filter(isKind)),
]

const MAX_NAMED = 3

function among(ctx: Ctx, kind: Kind, from: Kind, about: readonly Subject[]): Condition | undefined {
  const some = about.filter(subject => subject.entity_type === from)
  const ids = sql`${some.map(subject => subject.entity_id)}::uuid[]`
  const where = some.length === 0 ? undefined : tiedTo(ctx, kind, from, ids)
  const names = some.slice(0, MAX_NAMED).map(({ name }) => name)
  return where && { where, said: `${names.join(', ')}${some.length > MAX_NAMED ? ' and others' : ''}` }
}

/** "their phone number", "who owns it": all the words are fields of the records, or of others that are tied to them. */
export async function fieldsOfSubjects(
  ctx: Ctx,
  rest: string,
  about: readonly Subject[],
  types: readonly string[],
): Promise<{ own: Plan[]; others: Plan[] }> {
  const { fields } = await vocabularyOf(ctx)
  const kinds = kindsOf(about)
  const other = OF_ANOTHER.exec(rest)
  const wanted =
    other && NOUNS.find(([, pattern]) => new RegExp(`^(?:${pattern.source})$`).test(other[1]!))?.[0]
  const words = wanted ? rest.replace(other[0], ' ') : rest
  const plan = (kind: Kind, from: Kind): Plan[] => {
    if (!types.includes(kind) || (wanted && kind !== wanted)) return []
    const asked = fieldsAsked(words, fields[kind])
    const where = asked.length === 0 ? undefined : among(ctx, kind, from, about)
    if (!where) return []
    return [{ entity: kind, measure: { kind: 'field', fields: asked }, conditions: [where], shown: [] }]
  }
  return {
    own: kinds.flatMap(kind => plan(kind, kind)),
    others: NEAR.flatMap(kind => kinds.filter(from => from !== kind).flatMap(from => plan(kind, from))),
  }
}

/** "the phone number of the company" */
const OF_ANOTHER = / (?:of|for|at) (?:the )?(company|account|contact|person|deal|opportunity)(?= )/
const NEAR: Kind[] = ['contact', 'company', 'deal']

function fieldsAsked(rest: string, fields: readonly Field[]): Field[] {
  let text = rest
  const asked: Field[] = []
  for (const field of fields) {
    const match = bounded(field.said).exec(text)
    if (!match || asked.length === MAX_NAMED) continue
    text = text.replace(match[0], '¤')
    asked.push(field)
  }
  if (asked.length === 0 && bounded('where').test(text))
    asked.push(...fields.filter(field => ['city', 'country', 'location'].includes(field.key)))
  if (asked.length === 0 && bounded('whose').test(text))
    asked.push(...fields.filter(field => ['owner_id', 'assignee_id', 'user_id'].includes(field.key)))
  return leftOver({ text }).length === 0 ? asked : []
}

/** "which of them are open", "how many deals do they have", "who works there". */
export async function tiedToSubjects(
  ctx: Ctx,
  rest: string,
  about: readonly Subject[],
  types: readonly string[],
): Promise<Plan | undefined> {
  const kinds = kindsOf(about)
  // who owns a record is a field of it, or not known
  if (bounded('own|owns|owned|owner|responsible').test(rest)) return undefined
  const questions = [rest, ...kinds.map(kind => `which ${TABLES[kind].many}${rest}`)]
  for (const question of questions) {
    const plan = await interpret(ctx, question, types)
    if (!plan) continue
    const from = kinds.includes(plan.entity) ? plan.entity : kinds[0]!
    const where = from && among(ctx, plan.entity, from, about)
    if (where) return { ...plan, conditions: [...plan.conditions, where] }
  }
  return undefined
}

/** Records that are known one by one. */
export function listOfSubjects(ctx: Ctx, about: readonly Subject[]): Plan | undefined {
  const [kind] = kindsOf(about)
  const where = kind && among(ctx, kind, kind, about)
  return where && { entity: kind, measure: { kind: 'list' }, conditions: [where], shown: [] }
}
