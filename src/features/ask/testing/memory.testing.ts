/** A small account in memory: its words for the parser, queries over it, and whole answers without a service. */

import type { Result } from '../../records/query/result.ts'
import type { Query } from '../../records/query/spec.ts'
import { fold, wordsOf } from '../../search/words.ts'
import type { Called, DeclaredField, KnownValue } from '../account/account-words.ts'
import { mentionsIn } from '../account/mentions.ts'
import { byKind, MAX_CALLED, NAMED_KINDS, type Names } from '../account/names.ts'
import { MEMBERS, NAMED_COLUMNS, type Vocabulary, vocabularyFrom } from '../account/vocabulary.ts'
import { type Words, wordsFrom } from '../account/words.ts'
import { answerTo } from '../answer.ts'
import type { Answer } from '../prose/answer.ts'
import type { Before } from '../understand/follow-up.ts'
import { type Understood, understand } from '../understand/index.ts'
import { tokensOf } from '../understand/tokens.ts'
import { evaluate, type Item } from './evaluate.testing.ts'
import type { Writer } from './writer.testing.ts'

const KINDS: Readonly<Record<string, string>> = {
  '/api/companies': 'company',
  '/api/contacts': 'contact',
  '/api/deals': 'deal',
  '/api/activities': 'activity',
  '/api/notes': 'note',
  '/api/products': 'product',
}
/** The stages an account begins with, and their chances. */
const CHANCE: Readonly<Record<string, number>> = {
  Lead: 10,
  Qualified: 25,
  Proposal: 50,
  Negotiation: 75,
  Won: 100,
  Lost: 0,
}
const STATES: Readonly<Record<string, string>> = { Won: 'won', Lost: 'lost' }
const TYPES: Readonly<Record<string, DeclaredField['type']>> = {
  number: 'number',
  currency: 'money',
  rating: 'number',
  boolean: 'flag',
  date: 'date',
}

export class Memory implements Writer {
  readonly items: Item[] = []
  readonly me = 'member-1'
  private readonly members = new Map([[this.me, 'Test Person']])
  private readonly fields: DeclaredField[] = []
  private vocabulary: Vocabulary | undefined
  private known: Names | undefined

  async asker(name: string): Promise<void> {
    this.members.set(this.me, name)
  }

  async colleague(name: string): Promise<string> {
    const id = `member-${this.members.size + 1}`
    this.members.set(id, name)
    return id
  }

  async create(path: string, body: Readonly<Record<string, unknown>>): Promise<string> {
    if (path === '/api/custom-fields') {
      const { entity_type, name, field_type } = body as Record<string, string>
      const key = String(body.key ?? fold(String(name)).replaceAll(' ', '_'))
      const type = TYPES[String(field_type)] ?? 'text'
      const options = (body.options ?? []) as readonly { value: string }[]
      const many = field_type === 'multi_select' ? { choices: options.map(({ value }) => value) } : {}
      this.fields.push({ kind: String(entity_type), key: `cf.${key}`, label: String(name), type, ...many })
      return key
    }
    const kind = KINDS[path] ?? ''
    const id = typeof body.id === 'string' ? body.id : `${kind}-${this.items.length + 1}`
    // one after the other, and all of them before now
    const now = new Date(Date.now() - 10_000 + this.items.length).toISOString()
    this.items.push(itemOf(kind, id, now, { ...body, created_by: this.me }, this.members))
    return id
  }

  async tag(_: string, id: string, names: readonly string[]): Promise<void> {
    const item = this.items.find(one => one.id === id)
    if (item) item.tags = names.map(name => ({ name }))
  }

  /** What the parser knows of the account for this question. */
  async words(question: string): Promise<Words> {
    this.vocabulary ??= vocabularyFrom(this.values(), this.fields)
    const mentions = await mentionsIn(question, this.vocabulary, this.names())
    return wordsFrom(question, mentions, this.vocabulary, this.me)
  }

  async understand(question: string, before?: Before): Promise<Understood | undefined> {
    return understand(question, await this.words(question), new Date(), before)
  }

  run = async (query: Query, columns: readonly string[] = []): Promise<Result> =>
    evaluate(this.items, query, columns)

  /** Undefined when the question is not read, or in two ways. */
  async answer(question: string, before?: Before): Promise<Answer | undefined> {
    const words = await this.words(question)
    const understood = understand(question, words, new Date(), before)
    if (!understood || understood.alternatives.length > 0) return undefined
    return answerTo({ ...words, run: this.run }, understood.meaning)
  }

  /** Built once: the names of all records as they are said, and their words. */
  private names(): Names {
    if (this.known) return this.known
    const named = this.items
      .filter(({ kind }) => NAMED_KINDS.includes(kind))
      .map(({ kind, id, full_name, name, subject }) => ({
        kind,
        id,
        name: String(full_name ?? name ?? subject),
      }))
    const whole = Map.groupBy(named, ({ name }) => tokensOf(name).join(' '))
    const byWord = new Map<string, typeof named>()
    for (const one of named) {
      for (const word of new Set(wordsOf(one.name))) byWord.set(word, [...(byWord.get(word) ?? []), one])
    }
    const few = (one: Called): Called => ({
      ...one,
      ids: one.ids.slice(0, MAX_CALLED + 1),
      names: one.names.slice(0, MAX_CALLED + 1),
    })
    this.known = {
      whole: async phrases =>
        new Map(
          phrases.flatMap(phrase => {
            const [likeliest] = byKind(whole.get(phrase) ?? [])
            return likeliest ? [[phrase, likeliest]] : []
          }),
        ),
      partly: async words => new Map(words.map(word => [word, byKind(byWord.get(word) ?? []).map(few)])),
    }
    return this.known
  }

  private values(): KnownValue[] {
    const known = this.items.flatMap(item => {
      const columns = [
        ...(NAMED_COLUMNS[item.kind] ?? []),
        ...Object.keys(item).filter(key => key.startsWith('cf.')),
      ]
      const own = columns.flatMap(field =>
        [item[field]]
          .flat()
          .flatMap(value =>
            typeof value === 'string' && value !== '' ? [{ kind: item.kind, field, value }] : [],
          ),
      )
      const tags = item.tags.map(({ name }) => ({ kind: item.kind, field: 'tag', value: name }))
      const categories = [item.categories ?? []]
        .flat()
        .map(value => ({ kind: item.kind, field: 'category', value: String(value) }))
      return [...own, ...tags, ...categories]
    })
    const stages = Object.keys(CHANCE).map(value => ({ kind: 'deal', field: 'stage_id', value }))
    const people = [...this.members.values()].flatMap(value =>
      MEMBERS.map(([kind, field]) => ({ kind, field, value })),
    )
    const pipeline = { kind: 'deal', field: 'pipeline_id', value: 'Sales' }
    const currencies = this.items.flatMap(({ kind, currency }) =>
      typeof currency === 'string' ? [{ kind, field: 'currency', value: currency }] : [],
    )
    const all = [...known, ...stages, pipeline, ...people, ...currencies]
    return [...new Map(all.map(one => [JSON.stringify(one), one])).values()]
  }
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** A record as queries see it. */
function itemOf(
  kind: string,
  id: string,
  now: string,
  body: Readonly<Record<string, unknown>>,
  members: ReadonlyMap<string, string>,
): Item {
  const { metadata = {}, ...own } = body
  const custom = Object.entries(metadata as object).map(([key, value]) => [`cf.${key}`, value] as const)
  const member = (key: unknown) => (typeof key === 'string' ? { name: members.get(key) } : undefined)
  const base: Item = {
    created_at: now,
    updated_at: now,
    ...own,
    ...Object.fromEntries(custom),
    id,
    kind,
    tags: [],
    owner: member(body.owner_id),
    assignee: member(body.assignee_id),
    creator: member(body.created_by),
    author: member(body.created_by),
  }
  if (kind === 'contact') {
    base.birthday_day = typeof body.birthday === 'string' ? body.birthday.slice(5) : null
    base.full_name = `${body.first_name} ${body.last_name}`
    base.do_not_contact ??= false
    base.email_opt_out ??= false
  }
  if (kind === 'note') base.name = body.title
  if (kind === 'deal') return { ...base, ...dealOf(body, now) }
  return kind === 'activity' ? { ...base, ...activityOf(body, now) } : base
}

function dealOf(body: Readonly<Record<string, unknown>>, now: string) {
  const stage = text(body.stage) ?? 'Lead'
  const status = STATES[stage] ?? 'open'
  const probability = Number(body.probability ?? CHANCE[stage])
  const amount = typeof body.amount === 'number' ? body.amount : null
  return {
    stage: { name: stage, type: status },
    pipeline: { name: 'Sales' },
    status,
    probability,
    stage_entered_at: now,
    closed_at: status === 'open' ? null : (text(body.closed_at) ?? now),
    weighted_amount: amount === null ? null : (amount * probability) / 100,
  }
}

function activityOf(body: Readonly<Record<string, unknown>>, now: string) {
  const status = text(body.status) ?? 'planned'
  const isOpen = status === 'planned' || status === 'in_progress'
  const [start, end] = [text(body.start_at), text(body.end_at)]
  const due = text(body.due_at) ?? (body.due_date ? `${body.due_date}T23:59:59.999Z` : null)
  const done = end ?? start ?? due ?? now
  const happened = status === 'completed' ? (done < now ? done : now) : null
  return {
    status,
    happened_at: happened,
    falls_due_at: due,
    planned_at: isOpen ? (start ?? due) : null,
    when: happened ?? start ?? due ?? (body.type === 'task' ? null : now),
    is_overdue: isOpen && due !== null && due < now,
    duration_minutes:
      start && end ? (Date.parse(end) - Date.parse(start)) / 60_000 : (body.duration_minutes ?? null),
  }
}
