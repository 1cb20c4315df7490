/**
 * A question that leans on the one before it. A pronoun stands for the records of the answer before ("who owns
 * them"); a fragment is an edit of the meaning before ("only the open ones", "and in France?", "sort by amount").
 */
import type { Condition, Query } from '../../records/query/spec.ts'
import type { AccountWords } from '../account/account-words.ts'
import { lexiconOf } from '../lexicon/index.ts'
import { type EntityName, isEntity } from '../lexicon/types.ts'
import { type Edge, parse } from './chart.ts'
import { leavesOf } from './leaves.ts'
import {
  type About,
  type Clause,
  clauseOn,
  type FieldMeaning,
  type Meaning,
  on,
  type Records,
  relationTo,
} from './meaning.ts'
import { type Understood, understoodFrom } from './normal.ts'
import { EDIT_RULES } from './rules/edits.ts'
import { RULES } from './rules/index.ts'
import { boundsOf, type Edit, isNumeric, pathTo, type Time } from './rules/shared.ts'
import { MAX_TOKENS, tokensOf } from './tokens.ts'

/** What is known of the question before. */
export interface Before {
  meaning: Meaning | undefined
  about: readonly { entity_type: string; entity_id: string; name: string }[]
}

/** Longer ones say themselves what they are about. */
const MAX_WORDS = 14

const LEADING = /^(?:(?:and|but|so|ok|okay|now|also|then)\s+)+/
/** It asks the same again of something else, or for fewer of what there was. */
const LEANING =
  /^(?:(?:no )?i meant|(?:no )?i mean|what about|how about|what of|same for|the same for|only|just|show only|show me only)\s+/
const QUESTION_WORDS =
  /^(?:which|what|who|whom|whose|how|when|where|why|is|are|do|does|did|have|has|list|show)\b/
const NTH = /^the (first|second|third|fourth|fifth|last|latter)(?: one| of them)? /
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth']

/** Undefined: it is no follow-up. `isAlone`: what it means without the question before. */
export function followUp(
  question: string,
  account: AccountWords,
  now: Date,
  { meaning, about }: Before,
  isAlone: boolean,
): Understood | undefined {
  const said = tokensOf(question).join(' ')
  const text = said.replace(LEADING, '')
  if (text.split(' ').length > Math.min(MAX_WORDS, MAX_TOKENS)) return undefined
  const rest = text.replace(LEANING, '')
  // "and lost ones?" leans on the question before, "and who works at Globex?" does not
  const isFragment = (said !== text || text !== rest) && !QUESTION_WORDS.test(rest)
  if (isAlone && !isFragment) return undefined
  const edited = meaning?.kind === 'query' ? edit(rest, account, now, meaning) : undefined
  if (isFragment && edited) return edited
  if (isAlone) return undefined
  return ofRecords(text, account, now, { meaning, about }) ?? edited
}

const readingsOf = (
  text: string,
  account: AccountWords,
  now: Date,
  goal: string,
  more: (tokens: readonly string[]) => Edge[] = () => [],
): Edge[] => {
  const tokens = text.split(' ').filter(Boolean)
  const leaves = [...leavesOf(tokens, lexiconOf(tokens), account, now), ...more(tokens)]
  return tokens.length === 0 ? [] : parse(tokens.length, leaves, goal === 'Edit' ? EDIT_RULES : RULES, goal)
}

// ---- pronouns

function ofRecords(text: string, account: AccountWords, now: Date, before: Before): Understood | undefined {
  const [nth, word = ''] = NTH.exec(text) ?? []
  const one = nth === undefined ? undefined : before.about.at(ORDINALS.indexOf(word))
  const these = nth === undefined ? theseOf(before) : theseOf({ meaning: undefined, about: one ? [one] : [] })
  const leaves = (tokens: readonly string[]) => tokens.flatMap((_, at) => pronounsAt(tokens, at, these))
  const parses = readingsOf(
    nth === undefined ? text : text.slice(nth.length),
    account,
    now,
    'Meaning',
    leaves,
  )
  return understoodFrom(parses)
}

/** The records of the answer before: by the query where it listed all that fulfil it, else one by one. */
function theseOf({ meaning, about }: Before): About[] {
  const query = meaning?.kind === 'query' && !meaning.last ? meaning.query : undefined
  const isWhole = query !== undefined && query.limit === undefined && isEntity(query.entity)
  if (isWhole && isEntity(query.entity) && about.some(one => one.entity_type === query.entity))
    return [{ entity: query.entity, where: query.where ?? { and: [] }, isThese: true }]
  return [...Map.groupBy(about, one => one.entity_type)].flatMap(([entity, records]): About[] => {
    const where: Condition = { field: 'id', op: 'in', value: records.map(one => one.entity_id) }
    return isEntity(entity) ? [{ entity, where, isThese: true }] : []
  })
}

/** A pronoun costs less than the article that it may be, too: "their website". */
const PRONOUN_COST = -0.5
const RELATED: readonly EntityName[] = ['company', 'contact', 'deal']

function pronounsAt(tokens: readonly string[], from: number, these: readonly About[]): Edge[] {
  return [1, 2].flatMap(length => {
    const phrase = tokens.slice(from, from + length).join(' ')
    const to = from + length
    const [kind] = [...lexiconOf(tokens).pronouns].find(([, words]) => words.includes(phrase)) ?? []
    if (kind === undefined || to > tokens.length) return []
    return these.flatMap((about): Edge[] => {
      const { entity, where } = about
      const others = RELATED.flatMap((other, i): [About, number][] => {
        const relation = other === entity || entity === '*' ? undefined : relationTo(other, entity)
        const related: About = { ...about, entity: other, where: { some: relation ?? '', where } }
        return relation === undefined ? [] : [[related, 0.5 + 0.4 * i]]
      })
      const all: [About, number][] = [[about, 0], ...others]
      const such = all.filter(([one]) => kind === 'any' || one.entity === kind)
      return such.flatMap(([meaning, extra]) =>
        ['Value', 'These'].map(category => ({ category, from, to, meaning, cost: PRONOUN_COST + extra })),
      )
    })
  })
}

// ---- edits

function edit(text: string, account: AccountWords, now: Date, before: QueryMeaning): Understood | undefined {
  const parses = readingsOf(text, account, now, 'Edit').flatMap(edge => {
    const meaning = edited(before, edge.meaning as Edit)
    return meaning ? [{ ...edge, meaning }] : []
  })
  return understoodFrom(parses)
}

type QueryMeaning = Extract<Meaning, { kind: 'query' }>

function edited(before: QueryMeaning, change: Edit): Meaning | undefined {
  const { query } = before
  const { entity } = query
  if (!isEntity(entity)) return undefined
  const isOwn = (field: FieldMeaning) => field.entity === entity
  const asked = (more: Partial<Query>): QueryMeaning => ({
    kind: 'query',
    query: { ...plainQuery(query), ...more },
  })
  switch (change.kind) {
    case 'narrow':
      return narrowedBy(before, conditionOn(entity, change.by))
    case 'time':
      return inTime(before, change.time)
    case 'noun':
      return ofKind(before, change.of)
    case 'measure':
      return asked({ measure: change.measure })
    case 'sum':
      return isNumeric(change.field) && isOwn(change.field)
        ? asked({ measure: { kind: change.by, field: change.field.field } })
        : undefined
    case 'group': {
      const path = change.field.type === 'text' ? pathTo(entity, change.field) : undefined
      const measure = query.measure && 'field' in query.measure ? query.measure : { kind: 'count' as const }
      return path === undefined ? undefined : asked({ measure, group_by: [{ field: path }] })
    }
    case 'order': {
      const order = [{ by: change.field.field, direction: change.direction }]
      const limit = change.limit ? { limit: change.limit } : {}
      return isOwn(change.field) ? asked({ measure: { kind: 'list' }, order, ...limit }) : undefined
    }
    case 'show':
      return isOwn(change.field) ? { ...asked({}), show: change.field } : undefined
  }
}

/** The records of a query, without what was done with them; the first of an order stay the first. */
function plainQuery({ entity, where, order, limit }: Query): Query {
  const first = limit === undefined ? {} : { limit, ...(order ? { order } : {}) }
  return { entity, ...(where ? { where } : {}), ...first }
}

const conditionOn = (entity: EntityName, by: About | Clause): Condition | undefined =>
  'of' in by ? clauseOn(entity, by) : on(entity, by)

const partsOf = (where: Condition | undefined): readonly Condition[] =>
  where === undefined ? [] : 'and' in where ? where.and : [where]

/** What is said of the same thing is exchanged, what is new is added: "in Oslo" after "in Berlin", "only the open ones". */
function narrowedBy(before: QueryMeaning, by: Condition | undefined): Meaning | undefined {
  if (!by) return undefined
  const parts = partsOf(by)
  const kept = partsOf(before.query.where).filter(
    part => !parts.some(other => aboutOf(part) === aboutOf(other)),
  )
  return { ...before, query: { ...before.query, where: { and: [...kept, ...parts] } } }
}

/** The same text for conditions on the same thing. */
function aboutOf(where: Condition): string {
  if ('not' in where) return aboutOf(where.not)
  if ('field' in where)
    return `${where.field.replace(/(?:\.name|_id)$/, '')} ${isBound(where) ? where.op : ''}`
  if ('some' in where && where.where) return `${where.some}.${partsOf(where.where).map(aboutOf).sort()}`
  if ('or' in where) return [...new Set(where.or.map(aboutOf))].sort().join()
  return JSON.stringify(where)
}

const isBound = ({ op = 'eq' }: { op?: string }): boolean => ['gt', 'gte', 'lt', 'lte'].includes(op)

const DATES =
  /^(?:(?:created|updated|closed|happened|planned|falls_due|stage_entered)_at|expected_close_date|when)$/

/** Another time for the date that was compared, or the usual date of such records. */
function inTime(before: QueryMeaning, time: Time): Meaning | undefined {
  const parts = partsOf(before.query.where)
  const isTime = (part: Condition) => 'field' in part && DATES.test(part.field) && isBound(part)
  const fields = new Set(parts.flatMap(part => ('field' in part && isTime(part) ? [part.field] : [])))
  const [compared] = fields
  const field = compared ?? usualDate(before.query)
  if (field === undefined || fields.size > 1) return undefined
  const isAhead = ['expected_close_date', 'planned_at', 'when'].includes(field)
  const bounds = boundsOf(field, isAhead ? time.future : time.past)
  const kept = parts.filter(part => !isTime(part))
  return { ...before, query: { ...before.query, where: { and: [...kept, ...bounds] } } }
}

function usualDate({ entity, where }: Query): string | undefined {
  const text = JSON.stringify(where ?? null)
  if (entity === 'activity') return 'when'
  if (entity !== 'deal') return undefined
  return /"(?:won|lost)"/.test(text)
    ? 'closed_at'
    : text.includes('"open"')
      ? 'expected_close_date'
      : undefined
}

/** The same of other records, if it can be said of them: when they were created, whom they belong to. */
function ofKind(before: QueryMeaning, of: Records): Meaning | undefined {
  const { where, measure } = before.query
  const parts = partsOf(where)
  const isSayable = (part: Condition) =>
    'field' in part
      ? /^(?:created|updated)_at$/.test(part.field)
      : 'some' in part && part.some === 'companies' && of.entity !== 'company'
  const isFigure = measure !== undefined && 'field' in measure
  if (parts.length === 0 || isFigure || !parts.every(isSayable)) return undefined
  const query = {
    entity: of.entity,
    where: { and: [...parts, ...of.where] },
    ...(measure ? { measure } : {}),
  }
  return { kind: 'query', query }
}
