/** What a question means → its answer, computed by the query. */
import type { Ctx } from '../../kernel/context.ts'
import { hasScope } from '../../kernel/scopes.ts'
import { counted, described, labelOf, type NameOf } from '../query/describe.ts'
import type { Kinds } from '../query/relations.ts'
import { type Figure, type Group, type Result, runQuery } from '../query/run.ts'
import type { Query } from '../query/spec.ts'
import type { Answer, Citation } from '../search/ask/answer.ts'
import { understand } from './understand/index.ts'
import type { FieldMeaning, Meaning } from './understand/meaning.ts'
import { wordsFor } from './words.ts'

/** How many records are cited, and how many of them the text names. */
const MAX_CITED = 50
const MAX_NAMED = 20

/** Undefined when the question is not one about the data, or reads what the caller may not. */
export async function computedAnswer(
  ctx: Ctx,
  kinds: Kinds,
  question: string,
  types: readonly string[],
  now = new Date(),
): Promise<Answer | undefined> {
  const words = await wordsFor(ctx, question, types)
  const understood = understand(question, words, now)
  if (!understood || !(OPERATOR.test(question) || isComposed(understood.meaning))) return undefined
  const readings = [understood.meaning, ...understood.alternatives]
  if (!readings.every(reading => mayRead(ctx, kinds, reading, types))) return undefined
  if (readings.length > 1) return whichOne(readings, words.nameOf)
  return answerTo(ctx, kinds, understood.meaning, words.nameOf)
}

/**
 * What the older grammar refuses without such a word it refuses for a reason that the rules do not know yet, such as
 * a time that the records do not hold ("how many customers did we have last year").
 */
const OPERATOR =
  /\b(?:or|nor|not|except|excluding|but|all|every|each|only|any|none|no|without|lack\w*|both|either|neither|whose)\b|n['’]t\b/i

/** Conditions on records that are related over at least one step. */
const isComposed = (meaning: Meaning): boolean =>
  /"(?:some|none|every|count)":"(?!tags")/.test(JSON.stringify(queryOf(meaning).where ?? {}))

const queryOf = (meaning: Meaning): Query => (meaning.kind === 'every' ? meaning.exceptions : meaning.query)

function mayRead(ctx: Ctx, kinds: Kinds, meaning: Meaning, types: readonly string[]): boolean {
  const { entity } = queryOf(meaning)
  const group = kinds.get(entity)?.group
  return types.includes(entity) && group !== undefined && hasScope(ctx.caller.scopes, `${group}:read`)
}

async function answerTo(ctx: Ctx, kinds: Kinds, meaning: Meaning, nameOf: NameOf): Promise<Answer> {
  if (meaning.kind === 'every') return everyAnswer(ctx, kinds, meaning, nameOf)
  const { query } = meaning
  const result = await runQuery(ctx, kinds, query)
  if (meaning.kind === 'win rate') return winRate(query, result)
  if (meaning.show) return fieldAnswer(query, result, meaning.show)
  if (result.groups) return groupAnswer(ctx, kinds, query, result, result.groups, nameOf)
  if (result.figures) return figureAnswer(ctx, kinds, query, result, result.figures, nameOf)
  return listAnswer(query, result, nameOf)
}

function listAnswer(query: Query, result: Result, nameOf: NameOf): Answer {
  const citations = cite(query, result)
  const head = query.limit === undefined ? described(query, result.total, nameOf) : ''
  const names = named(citations)
  const text = [head, names].filter(Boolean).join(': ')
  return grounded(`${text === '' ? described(query, 0, nameOf) : text}.`, citations, query, result)
}

/** The records behind a figure are cited with it. */
async function behind(ctx: Ctx, kinds: Kinds, { entity, where }: Query): Promise<Result> {
  return runQuery(ctx, kinds, { entity, ...(where ? { where } : {}), limit: MAX_CITED })
}

async function figureAnswer(
  ctx: Ctx,
  kinds: Kinds,
  query: Query,
  result: Result,
  figures: readonly Figure[],
  nameOf: NameOf,
): Promise<Answer> {
  const records = await behind(ctx, kinds, query)
  const citations = cite(query, records)
  const set = described(query, result.total, nameOf)
  const names = citations.length === 0 ? '' : `: ${named(citations)}`
  if (!query.measure || !('field' in query.measure))
    return grounded(`${set}${names}.`, citations, query, result)
  const label = `${LABELS[query.measure.kind]} ${labelOf(query.measure.field)}`
  return grounded(
    `${label}: ${figures.map(figureText).join(' and ')}, from ${set}${names}.`,
    citations,
    query,
    result,
  )
}

const LABELS = { sum: 'Total', avg: 'Average', median: 'Median', min: 'Smallest', max: 'Largest' } as const

async function groupAnswer(
  ctx: Ctx,
  kinds: Kinds,
  query: Query,
  result: Result,
  groups: readonly Group[],
  nameOf: NameOf,
): Promise<Answer> {
  const records = await behind(ctx, kinds, query)
  const by = (query.group_by ?? []).map(({ field, bucket }) => bucket ?? labelOf(field)).join(' and ')
  const isSum = query.measure !== undefined && 'field' in query.measure
  const texts = groups.map(group => {
    const count = counted(query.entity, Number(group.count))
    const key = group.key.map(value => value ?? `no ${by}`).join(', ')
    return isSum ? `${key}: ${figureText(group)} (${count})` : `${key}: ${count}`
  })
  const head = query.limit === undefined ? `${described(query, result.total, nameOf)} by ${by}: ` : ''
  return grounded(`${head}${texts.join('; ') || 'none'}.`, cite(query, records), query, result)
}

const figureText = ({ value, currency }: Figure): string => {
  if (value === null) return 'none'
  const text = typeof value === 'number' ? Math.round(value * 100) / 100 : value.slice(0, 10)
  return [text, currency].filter(part => part !== null).join(' ')
}

async function everyAnswer(
  ctx: Ctx,
  kinds: Kinds,
  { set, exceptions }: Extract<Meaning, { kind: 'every' }>,
  nameOf: NameOf,
): Promise<Answer> {
  const all = await runQuery(ctx, kinds, { ...set, measure: { kind: 'count' } })
  const others = await runQuery(ctx, kinds, { ...exceptions, limit: MAX_CITED })
  const citations = cite(exceptions, others)
  if (all.total === 0)
    return grounded(`There are no such records: ${described(set, 0, nameOf)}.`, [], exceptions, others)
  const text =
    others.total === 0
      ? `Yes, ${all.total === 1 ? '' : 'all '}${described(set, all.total, nameOf)}.`
      : `No: ${others.total} of ${described(set, all.total, nameOf)} are not: ${named(citations)}.`
  return grounded(text, citations, exceptions, others)
}

function fieldAnswer(query: Query, result: Result, show: FieldMeaning): Answer {
  const citations = cite(query, result, [show.field])
  const texts = (result.items ?? []).flatMap((item, i) => {
    const value = valueAt(item, show.field)
    return value === undefined ? [] : [`${citations[i]?.name}: ${labelOf(show.field)} ${value} [${i + 1}]`]
  })
  const answer = grounded(`${texts.join('; ')}.`, citations, query, result)
  return texts.length > 0
    ? answer
    : { ...answer, answer: 'The record does not say.', grounded: false, confidence: 'none' }
}

function winRate(query: Query, result: Result): Answer {
  const count = (type: string) => Number(result.groups?.find(({ key }) => key[0] === type)?.count ?? 0)
  const [won, lost] = [count('won'), count('lost')]
  const rate = won + lost === 0 ? undefined : Math.round((won / (won + lost)) * 1000) / 10
  const text =
    rate === undefined ? 'No deal is closed yet.' : `Win rate: ${rate} % (${won} won, ${lost} lost).`
  return grounded(text, [], query, result)
}

/** Two readings are about as likely: the caller chooses. */
function whichOne(readings: readonly Meaning[], nameOf: NameOf): Answer {
  const queries = readings.map(queryOf)
  const texts = queries.map((query, i) => `(${i + 1}) ${described(query, 2, nameOf).replace(/^2 /, '')}`)
  return {
    answer: `This can be read in several ways: ${texts.join('; ')}. Which one do you mean?`,
    citations: [],
    conflicts: [],
    grounded: false,
    confidence: 'none',
    related: [],
    model: 'data',
    data: null,
    alternatives: queries,
  }
}

const grounded = (
  answer: string,
  citations: Citation[],
  query: Query,
  { total, items, ...rest }: Result,
): Answer => ({
  answer,
  citations,
  conflicts: [],
  grounded: true,
  confidence: 'high',
  related: [],
  model: 'data',
  data: {
    ...rest,
    entity_type: query.entity,
    count: total,
    query,
    ...(items
      ? { items: citations.map(({ index, entity_id, name }) => ({ index, id: entity_id, name })) }
      : {}),
  },
})

const NAME_FIELDS = ['name', 'full_name', 'subject', 'title']
/** What a list shows beside the names. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  deal: ['amount', 'stage.name'],
  activity: ['type', 'due_at'],
}

function cite(
  query: Query,
  { items = [] }: Result,
  fields: readonly string[] = SHOWN[query.entity] ?? [],
): Citation[] {
  return items.slice(0, MAX_CITED).map((item, i) => {
    const name = String(NAME_FIELDS.map(field => item[field]).find(Boolean) ?? '')
    const details = fields.flatMap(field => valueAt(item, field) ?? []).join(', ')
    return {
      index: i + 1,
      entity_type: query.entity,
      entity_id: String(item.id),
      name,
      snippet: details === '' ? name : `${name}: ${details}`,
      updated_at: String(item.updated_at),
      score: 1,
    }
  })
}

function named(citations: readonly Citation[]): string {
  const texts = citations.slice(0, MAX_NAMED).map(({ name, snippet, index }) => {
    const details = snippet.slice(name.length + 2)
    return `${name}${details === '' ? '' : ` (${details})`} [${index}]`
  })
  return `${texts.join('; ')}${citations.length > MAX_NAMED ? '; …' : ''}`
}

function valueAt(item: Record<string, unknown>, path: string): string | undefined {
  if (path === 'amount')
    return item.amount == null ? undefined : `${item.amount} ${item.currency ?? ''}`.trim()
  if (path.startsWith('cf.'))
    return shown((item.metadata as Record<string, unknown> | undefined)?.[path.slice(3)])
  const [step = '', ...rest] = path.split('.')
  const value = item[step]
  if (rest.length > 0)
    return typeof value === 'object' && value !== null
      ? valueAt(value as Record<string, unknown>, rest.join('.'))
      : undefined
  return shown(value)
}

const shown = (value: unknown): string | undefined =>
  value == null || value === '' ? undefined : String(value)
