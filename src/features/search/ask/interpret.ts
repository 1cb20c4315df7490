/**
 * A question about the data → what to ask the database. A small grammar: kinds of record, their fields, values that
 * the account holds, times, amounts, and what is wanted of them. Every word must be understood; a question with
 * words left over is not about the data, and is answered from what the records say.
 */
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { living, rows } from '../../../kernel/statements.ts'
import { type AmountFound, amountIn } from './amounts.ts'
import { countOf, type Field, type Kind, TABLES, tiedTo } from './fields.ts'
import { type Mention, mentionsIn } from './mentions.ts'
import type { Condition, Measure, Plan } from './plan.ts'
import { type Span, timeIn } from './times.ts'
import { type Known, type Vocabulary, vocabularyOf } from './vocabulary.ts'

const NOUNS: [Kind, RegExp][] = [
  ['deal', /deals?|opportunit(?:y|ies)|pipeline|forecast|sales/],
  [
    'activity',
    /activit(?:y|ies)|calls?|meetings?|tasks?|to-?dos?|appointments?|e-?mails(?= (?:did|have|has|had|were|was|are|sent|received|last|this|we))|e-?mails? activit(?:y|ies)|demos?(?= (?:scheduled|planned))/,
  ],
  ['company', /compan(?:y|ies)|accounts?|organi[sz]ations?|businesses|firms?|clients/],
  ['contact', /contacts?|people|persons?|individuals?/],
  ['note', /notes?/],
]
const ACTIVITY_TYPES: [RegExp, string][] = [
  [/calls?|called|phoned/, 'call'],
  [/meetings?|appointments?|met/, 'meeting'],
  [/tasks?|to-?dos?/, 'task'],
  [/e-?mails?|emailed/, 'email'],
]

/** Words without a meaning of their own in such questions. */
const FILLER = new Set(
  `a an the of in on at by for to from with and or is are was were be been being do does did have has had having how
  what which who whom whose when where show list give tell me find get please can could would you i we us our my all any
  there here it its that those these this they them their currently right now at present still yet already so far
  exist exists records record crm database system entries one ones many much overall altogether as same each per am
  called named about regarding related associated linked belonging belong belongs within into out going go set up
  scheduled make made makes see know want need s re ve get got currently active total number count us if whether than then
  works work working worked employed lives live living based located come comes came coming held happen happens happened
  take takes taking place assigned owned owns own handled managed managing responsible tagged tag tags category labelled
  labeled marked stage status value values worth name names field date dates money having stands stand look like involved
  left remain remaining send sent receive received know knows every sort kind type under over during expected`.split(
    /\s+/,
  ),
)

interface Reading {
  ctx: Ctx
  now: Date
  text: string
  vocabulary: Vocabulary
  mentions: Mention[]
  conditions: Condition[]
  span: Span | undefined
  amount: AmountFound | undefined
}

const bounded = (pattern: RegExp | string) =>
  new RegExp(`(?<= )(?:${typeof pattern === 'string' ? pattern : pattern.source})(?= )`)

const says = (reading: { text: string }, pattern: RegExp | string): boolean =>
  bounded(pattern).test(reading.text)

/** Takes the words out of the question, as understood. */
function take(reading: Reading, pattern: RegExp | string): string | undefined {
  const match = bounded(pattern).exec(reading.text)
  if (!match) return undefined
  reading.text = reading.text.replace(match[0], '¤')
  return match[0]
}

export async function interpret(
  ctx: Ctx,
  question: string,
  types: readonly string[],
  now = new Date(),
): Promise<Plan | undefined> {
  const vocabulary = await vocabularyOf(ctx)
  const { text, mentions } = await mentionsIn(ctx, question, vocabulary, types)
  if (text.split(' ').length > 60) return undefined
  const reading: Reading = {
    ctx,
    now,
    text,
    vocabulary,
    mentions,
    conditions: [],
    span: undefined,
    amount: undefined,
  }
  const past = says(
    reading,
    /did|was|were|won|lost|closed|created|added|completed|made|held|happened|sent|had|spoke|talked|met/,
  )
  const last = lastContact(reading)
  if (last) return types.includes('activity') ? last : undefined

  const time = timeIn(reading.text, now, past)
  if (time) {
    reading.span = time.span
    reading.text = time.rest
  }
  reading.amount = amountIn(reading.text)
  if (reading.amount) reading.text = reading.amount.rest
  const entity = kindOf(reading)
  if (!entity || !types.includes(entity)) return undefined
  const plan = build(reading, entity)
  return plan && leftOver(reading).length === 0 ? plan : undefined
}

const leftOver = (reading: Reading): string[] =>
  reading.text
    .split(' ')
    .filter(word => word !== '' && word !== '¤' && !FILLER.has(word) && !/^[&.=<>-]+$/.test(word))

/** The kind of record that is asked for: the first that is named, or the one that what is named belongs to. */
function kindOf(reading: Reading): Kind | undefined {
  const first = NOUNS.map(([kind, pattern]) => ({
    kind,
    at: bounded(pattern).exec(reading.text)?.index ?? Infinity,
  })).sort((a, b) => a.at - b.at)[0]!
  const dimension =
    /(?<= )(?:which|what|who) (stages?|owners?|industr(?:y|ies)|cit(?:y|ies)|countr(?:y|ies)|reps?|compan(?:y|ies)|pipeline) (?:has|have|holds?|contains?|owns?)(?= )/.exec(
      reading.text,
    )
  if (dimension && !/compan/.test(dimension[1]!)) {
    const later = NOUNS.map(([kind, pattern]) => ({
      kind,
      at:
        bounded(pattern).exec(reading.text.slice(dimension.index + dimension[0].length - 1))?.index ??
        Infinity,
    })).sort((a, b) => a.at - b.at)[0]!
    if (later.at !== Infinity) return later.kind
  }
  if (first.at !== Infinity) return first.kind
  const record = reading.mentions.find(mention => mention.records)?.records
  const fieldOf = (kind: Kind) => reading.vocabulary.fields[kind].some(field => says(reading, field.said))
  if (says(reading, /overdue|past due/)) return 'activity'
  if (says(reading, /win rate|close rate|conversion rate|won|lost|pipelines?|stages?/)) return 'deal'
  if (says(reading, /due|to do|agenda|schedule[d]?|upcoming/) && !record) return 'activity'
  const valued = commonKinds(reading.mentions)
  if (says(reading, /who|whom|whose|anyone|anybody|everyone|everybody/)) {
    if (
      record &&
      record.kind !== 'contact' &&
      says(reading, /owns?|owner|responsible|manages?|handles?|handling|assigned|assignee/)
    )
      return record.kind
    if (record?.kind !== 'contact') return 'contact'
  }
  if (record && (fieldOf(record.kind) || says(reading, /where|based|located/))) return record.kind
  return valued[0]
}

/** The kinds that have all the values that were named, the likeliest first. */
function commonKinds(mentions: readonly Mention[]): Kind[] {
  const named = mentions.filter(mention => mention.values.length > 0)
  if (named.length === 0) return []
  return (['contact', 'company', 'deal', 'activity'] as Kind[]).filter(kind =>
    named.every(mention => mention.values.some(known => known.kind === kind)),
  )
}

function build(reading: Reading, entity: Kind): Plan | undefined {
  const fields = reading.vocabulary.fields[entity]
  const plan: Plan = { entity, measure: { kind: 'list' }, conditions: reading.conditions, shown: [] }
  groupOf(reading, plan, fields)
  superlative(reading, plan, fields)
  missing(reading, entity, fields)
  const own = applyMentions(reading, entity, fields)
  if (own === undefined) return undefined
  states(reading, entity)
  const measure = measureOf(reading, plan, fields)
  if (reading.amount) applyAmount(reading, entity, fields, reading.amount)
  if (reading.span) applySpan(reading, plan, fields, reading.span)
  plan.measure = measure
  const sized = fields.some(field => field.type === 'number' && says(reading, field.said))
  if (own > 0 && (measure.kind === 'list' || (measure.kind === 'count' && sized)) && !plan.order) {
    const asked = fields.filter(field => says(reading, field.said))
    const where = says(reading, /where|based|located|live|lives/)
      ? fields.filter(field => ['city', 'country', 'location'].includes(field.key))
      : []
    const wanted = [...asked, ...where]
    if (wanted.length === 0) return undefined
    for (const field of wanted) take(reading, field.said)
    plan.measure = { kind: 'field', fields: [...new Set(wanted)].slice(0, 3) }
    take(reading, /why|when|where/)
  }
  consumeNouns(reading, entity)
  for (const field of fields) {
    // a field that is only asked to be shown: "list the deals with their amounts"
    if (
      plan.measure.kind === 'list' &&
      says(reading, `(?:with |and |show |their |including )+${field.said.source}`)
    ) {
      take(reading, field.said)
      plan.shown.push(field)
    }
  }
  if (
    reading.conditions.length === 0 &&
    plan.measure.kind === 'list' &&
    !plan.order &&
    !plan.groupBy &&
    !/ (?:which|what|list|show|who|all|give|find) /.test(reading.text)
  ) {
    return undefined
  }
  return plan
}

/** The names of kinds: of the kind that is asked for, and of those whose ties were named. */
function consumeNouns(reading: Reading, entity: Kind): void {
  for (const [kind, pattern] of NOUNS) {
    if (kind === entity || reading.mentions.some(mention => mention.records?.kind === kind)) {
      while (take(reading, pattern) !== undefined);
    }
  }
  if (entity === 'contact') take(reading, /customers?|clients?/)
}

// ---- conditions

/** Returns how many records of the kind itself were named; undefined when a name fits nowhere. */
function applyMentions(reading: Reading, entity: Kind, fields: readonly Field[]): number | undefined {
  const byField = new Map<string, { values: Known[]; negated: boolean }>()
  const byKind = new Map<Kind, { ids: string[]; names: string[]; negated: boolean }>()
  let own = 0
  for (const mention of reading.mentions) {
    const through =
      entity !== 'company' &&
      /(?:compan(?:y|ies)|organi[sz]ations?|firms?) (?:\S+ ){0,3}¤/.test(reading.text) &&
      mention.values.some(known => known.kind === 'company')
    const fits = through ? [] : mention.values.filter(known => known.kind === entity)
    const said = fits.find(known => fieldSaid(fields, known.field, mention))
    const value = said ?? fits[0]
    const record = mention.records
    if (value && !(record && ['at', 'with', 'for'].includes(mention.before))) {
      const all = fits.filter(known => known.field === value.field)
      const known = byField.get(value.field) ?? { values: [], negated: mention.negated }
      byField.set(value.field, { ...known, values: [...known.values, ...all] })
    } else if (record) {
      const known = byKind.get(record.kind) ?? { ids: [], names: [], negated: mention.negated }
      byKind.set(record.kind, {
        ...known,
        ids: [...known.ids, ...record.ids],
        names: [...known.names, ...record.names],
      })
      if (record.kind === entity) own += record.ids.length
    } else {
      const where = throughOther(reading, entity, mention)
      if (!where) return undefined
      reading.conditions.push(where)
    }
    if (mention.negated) take(reading, /not|except|excluding|outside|other than|never|isn t|aren t/)
  }
  for (const [field, { values, negated }] of byField)
    addValues(reading, entity, fields, field, values, negated)
  for (const [kind, { ids, names, negated }] of byKind) {
    const where = tiedTo(reading.ctx, entity, kind, sql`${ids}::uuid[]`)
    if (!where) return undefined
    const unique = [...new Set(names)].join(', ')
    reading.conditions.push({
      where: negated ? sql`not (${where})` : where,
      said: negated ? `not ${unique}` : unique,
    })
  }
  if (
    reading.text.match(/ (?:my|mine|i own|assigned to me|me) /) &&
    ['deal', 'contact', 'activity'].includes(entity)
  ) {
    mine(reading, entity)
  }
  return own
}

/** "deals in the energy industry": the industry is their companies'. */
function throughOther(reading: Reading, entity: Kind, mention: Mention): Condition | undefined {
  for (const known of mention.values) {
    const field = reading.vocabulary.fields[known.kind].find(one => one.key === known.field)
    if (!field || field.key.startsWith('cf.') || field.key.endsWith('_id')) continue
    const ids = sql`array(select s.id from ${living(reading.ctx, TABLES[known.kind].table)} s
      where s.${sql.ref(field.key)} = ${known.value})`
    const where = tiedTo(reading.ctx, entity, known.kind, ids)
    if (!where) continue
    take(reading, field.said)
    take(reading, NOUNS.find(([kind]) => kind === known.kind)![1])
    const said = `${TABLES[known.kind].one} ${field.label} ${known.value}`
    return mention.negated ? { where: sql`not (${where})`, said: `not ${said}` } : { where, said }
  }
  return undefined
}

function mine(reading: Reading, entity: Kind): void {
  if (!take(reading, /my|mine|(?:that )?i own|(?:are )?assigned to me|owned by me/)) return
  const column = entity === 'activity' ? 'assignee_id' : 'owner_id'
  reading.conditions.push({ where: sql`r.${sql.ref(column)} = ${reading.ctx.user}`, said: 'mine' })
}

const fieldSaid = (fields: readonly Field[], key: string, mention: Mention): boolean => {
  const field = fields.find(one => one.key === key)
  return field !== undefined && new RegExp(`^(?:${field.said.source})$`).test(mention.before)
}

function addValues(
  reading: Reading,
  entity: Kind,
  fields: readonly Field[],
  key: string,
  values: readonly Known[],
  negated: boolean,
): void {
  const { ctx } = reading
  const names = [...new Set(values.map(known => known.value))]
  const field = fields.find(one => one.key === key)
  if (field) take(reading, field.said)
  const where =
    key === 'tag'
      ? sql`r.id in (select g.entity_id from ${rows(ctx, 'taggings')} g join ${rows(ctx, 'tags')} t on t.id = g.tag_id
          where t.deleted_at is null and t.name = any(${names}::text[]))`
      : key === 'category'
        ? sql`r.categories && ${names}::text[]`
        : key.startsWith('cf.')
          ? sql`r.id in (select v.entity_id from ${rows(ctx, 'custom_values')} v
              join ${rows(ctx, 'custom_fields')} f on f.id = v.field_id
              where f.entity_type = ${entity} and f.key = ${key.slice(3)} and v.text_value = any(${names}::text[]))`
          : sql`${field!.value(ctx)} = any(${names}::text[])`
  const label = field?.label ?? key
  reading.conditions.push({
    where: negated ? sql`(${where}) is not true` : where,
    said: `${label} ${negated ? 'not ' : ''}${names.join(' or ')}`,
  })
}

const stageType = (reading: Reading, type: string) =>
  sql`r.stage_id in (select s.id from ${rows(reading.ctx, 'stages')} s where s.type = ${type})`

function states(reading: Reading, entity: Kind): void {
  const { conditions } = reading
  const add = (said: string, where: Condition['where']) => conditions.push({ said, where })
  if (entity === 'deal') {
    if (says(reading, /win rate|close rate|conversion rate/)) return
    if (take(reading, /overdue|past due|late|slipped|past (?:their|its|the) (?:expected )?close date/)) {
      add(
        'open and past the expected close',
        sql`${stageType(reading, 'open')} and r.expected_close_date < ${today(reading)}::date`,
      )
    } else if (
      take(reading, /open|active|ongoing|in progress|pending|unclosed|live|still open|not closed|in play/)
    )
      add('open', stageType(reading, 'open'))
    else if (take(reading, /(?:closed[- ])?won|wins?|signed/)) add('won', stageType(reading, 'won'))
    else if (take(reading, /(?:closed[- ])?lost|lose|losses/)) add('lost', stageType(reading, 'lost'))
    else if (says(reading, /closed/)) add('closed', sql`not ${stageType(reading, 'open')}`)
    else if (
      says(reading, /pipeline|forecast|weighted/) ||
      (reading.span && says(reading, /clos(?:e|es|ing)|expected to close/))
    ) {
      const hasStage = conditions.some(condition => condition.said.startsWith('stage '))
      if (!hasStage) add('open', stageType(reading, 'open'))
    }
    return
  }
  if (entity !== 'activity') return
  const kinds = ACTIVITY_TYPES.filter(([pattern]) => take(reading, pattern) !== undefined).map(
    ([, type]) => type,
  )
  if (kinds.length > 0) add(kinds.join(' or '), sql`r.type = any(${kinds}::text[])`)
  const undone = sql`r.status in ('planned', 'in_progress')`
  if (take(reading, /overdue|past due|late|missed/))
    add('overdue', sql`${undone} and r.falls_due_at < ${reading.now.toISOString()}::timestamptz`)
  else if (take(reading, /upcoming|coming up|next up/))
    add('upcoming', sql`${undone} and r.planned_at >= ${reading.now.toISOString()}::timestamptz`)
  else if (
    take(
      reading,
      /(?:not|in)(?:[ -])?(?:yet )?(?:completed?|done|finished)|open|planned|pending|outstanding|unfinished|to do|scheduled/,
    )
  )
    add('not done', undone)
  else if (take(reading, /cancell?ed/)) add('cancelled', sql`r.status = 'cancelled'`)
  else if (take(reading, /completed|done|finished|held|made/)) add('completed', sql`r.status = 'completed'`)
  else if (says(reading, /due|deadlines?/)) add('not done', undone)
  take(reading, /high priority|urgent priority/)
}

const today = (reading: Reading) => reading.now.toISOString().slice(0, 10)

/** "without an email", "with no deals", "that have no owner" */
function missing(reading: Reading, entity: Kind, fields: readonly Field[]): void {
  const lead =
    '(?:without|with no|missing|lacking|lacks?|have no|has no|having no|with out|no|not have|do not have|don t have|doesn t have|not got)(?: an?| any| the| a)?'
  for (const [kind, pattern] of NOUNS) {
    const count = kind === entity ? undefined : countOf(reading.ctx, entity, kind)
    if (count && take(reading, `${lead} (?:${pattern.source})`))
      reading.conditions.push({ where: sql`${count} = 0`, said: `without ${TABLES[kind].many}` })
  }
  for (const field of fields) {
    if (!take(reading, `${lead} (?:${field.said.source})`)) continue
    reading.conditions.push({
      where: sql`nullif(${field.value(reading.ctx)}::text, '') is null`,
      said: `without ${field.label}`,
    })
  }
}

function applyAmount(reading: Reading, entity: Kind, fields: readonly Field[], amount: AmountFound): void {
  const after = amount.after.trim().split(' ').slice(0, 3).join(' ')
  const related = NOUNS.find(
    ([kind, pattern]) => kind !== entity && new RegExp(`^(?:${pattern.source})\\b`).test(after),
  )
  const counted = related && !amount.currency ? countOf(reading.ctx, entity, related[0]) : undefined
  const numeric = fields.filter(field => field.type === 'number' || field.type === 'money')
  const near = (field: Field) =>
    bounded(field.said).test(` ${amount.before.trim().split(' ').slice(-4).join(' ')} `) ||
    bounded(field.said).test(` ${after} `)
  const field =
    numeric.find(near) ??
    numeric.find(one => says(reading, one.said)) ??
    numeric.find(one => one.type === 'money') ??
    numeric[0]
  if (!counted && !field) return
  const value = counted ?? field!.value(reading.ctx)
  if (counted) take(reading, related![1])
  else take(reading, field!.said)
  for (const { op, value: bound } of amount.comparisons) {
    reading.conditions.push({
      where: sql`${value} ${sql.raw(op)} ${bound}`,
      said: `${counted ? TABLES[related![0]].many : field!.label} ${op} ${bound}`,
    })
  }
  if (amount.currency && entity === 'deal')
    reading.conditions.push({ where: sql`r.currency = ${amount.currency}`, said: amount.currency })
}

const WHEN: Record<Kind, [RegExp, string][]> = {
  deal: [
    [/created|added|opened|new|started|entered(?: the pipeline)?|came in|logged/, 'created_at'],
    [/updated|changed|modified|edited/, 'updated_at'],
    [
      /(?:no |without |any )?(?:recent )?activit(?:y|ies)|touched|inactive|idle|untouched/,
      'last_activity_at',
    ],
    [/stuck|moved|in (?:the same |this )?stage/, 'stage_entered_at'],
    [/closed|won|lost/, 'closed_at'],
    [
      /(?:expected |due |going |supposed |set |scheduled )?(?:to )?clos(?:e|es|ing)(?: date)?|due|expected/,
      'expected_close_date',
    ],
  ],
  contact: [
    [/birthdays?|born/, 'birthday'],
    [
      /contacted|talked(?: to| with)?|spoken(?: to| with)?|spoke(?: to| with)?|heard(?: from)?|interact(?:ed|ions?)?(?: with)?|reached(?: out)?|touched|met|been in touch(?: with)?|in touch/,
      'last_interaction',
    ],
    [/updated|changed|modified|edited/, 'updated_at'],
    [/created|added|new|joined|signed up|came in|entered|imported/, 'created_at'],
  ],
  company: [
    [/updated|changed|modified|edited/, 'updated_at'],
    [/created|added|new|joined|signed up|came in|entered|imported/, 'created_at'],
  ],
  activity: [
    [/due|deadlines?|fall(?:s|ing)? due/, 'falls_due_at'],
    [/completed|done|finished/, 'completed_at'],
    [/created|added|logged/, 'created_at'],
  ],
  note: [
    [/updated|changed|modified|edited/, 'updated_at'],
    [/created|added|written|wrote|taken|new|made/, 'created_at'],
  ],
}
const WHEN_ELSE: Record<Kind, string> = {
  deal: 'expected_close_date',
  contact: 'created_at',
  company: 'created_at',
  activity: 'when',
  note: 'created_at',
}

function applySpan(reading: Reading, plan: Plan, fields: readonly Field[], span: Span): void {
  const dated = fields.filter(field => field.type === 'day' || field.type === 'time')
  const custom = dated.find(field => field.key.startsWith('cf.') && says(reading, field.said))
  const state = reading.conditions.map(condition => condition.said)
  const rule = WHEN[plan.entity].find(([pattern]) => says(reading, pattern))
  const key =
    custom?.key ??
    rule?.[1] ??
    (plan.entity === 'deal' && state.some(said => /^(?:won|lost|closed)$/.test(said))
      ? 'closed_at'
      : state.includes('completed')
        ? 'when'
        : WHEN_ELSE[plan.entity])
  const field = dated.find(one => one.key === key) ?? dated[0]!
  take(reading, custom ? field.said : (rule?.[0] ?? /¤/))
  const value = field.value(reading.ctx)
  const never = take(reading, /not|never|no|haven t|hasn t|without/) !== undefined
  if (field.key === 'birthday') {
    reading.conditions.push({ said: `birthday ${span.said}`, where: birthdayIn(value, span) })
    plan.shown.push(field)
    return
  }
  const from = span.from === null ? sql`true` : sql`${value} >= ${span.from}::date`
  const to = span.to === null ? sql`true` : sql`${value} < ${span.to}::date`
  const within = sql`(${from} and ${to})`
  reading.conditions.push({
    where: never
      ? sql`${within} is not true`
      : field.key.startsWith('last_') && span.from === null
        ? sql`(${value} is null or ${to})`
        : within,
    said: `${never ? 'not ' : ''}${field.label} ${rangeOf(span)}`,
  })
  if (!plan.shown.includes(field) && field.key !== 'created_at') plan.shown.push(field)
}

const rangeOf = ({ from, to }: Span): string => {
  const last =
    to === null ? null : new Date(Date.parse(`${to}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
  if (from === null) return `before ${to}`
  if (last === null) return `since ${from}`
  return from === last ? `on ${from}` : `from ${from} to ${last}`
}

/** A birthday comes every year. */
const birthdayIn = (value: Condition['where'], span: Span) =>
  sql`exists (select from generate_series(coalesce(${span.from}::date, ${span.to}::date - 1), coalesce(${span.to}::date, ${span.from}::date + 1) - 1, interval '1 day') d
    where to_char(d, 'MMDD') = to_char(${value}, 'MMDD'))`

// ---- what is wanted

function groupOf(reading: Reading, plan: Plan, fields: readonly Field[]): void {
  const lead =
    '(?:by|per|for each|for every|in each|at each|across|each|grouped by|broken down by|split by)(?: the| every| all)?'
  const dimensions = fields.filter(field => field.groups)
  for (const field of dimensions) {
    if (!take(reading, `${lead} (?:${field.said.source})`)) continue
    plan.groupBy = { label: field.label, value: field.value(reading.ctx) }
    return
  }
  const unit = take(reading, `${lead} (?:day|week|month|quarter|year)s?`)
  if (unit) {
    const key = says(reading, /won|lost|closed/)
      ? 'closed_at'
      : says(reading, /clos(?:e|es|ing)|expected/)
        ? 'expected_close_date'
        : plan.entity === 'activity'
          ? 'when'
          : 'created_at'
    const name = /day|week|month|quarter|year/.exec(unit)![0]
    const field = fields.find(one => one.key === key)!
    const format = {
      day: 'YYYY-MM-DD',
      week: 'IYYY-"W"IW',
      month: 'YYYY-MM',
      quarter: 'YYYY-"Q"Q',
      year: 'YYYY',
    }[name]!
    plan.groupBy = { label: name, value: sql`to_char(${field.value(reading.ctx)}, ${format})` }
    return
  }
  // "which stage has the most deals", "who owns the most pipeline"
  const most = /(?<= )(?:the )?(most|highest|largest|biggest|fewest|least|lowest|smallest)(?= )/.exec(
    reading.text,
  )
  if (!most) return
  const asked =
    dimensions.find(field =>
      bounded(`(?:which|what|who|whose)(?: is the)? (?:${field.said.source})`).test(reading.text),
    ) ??
    (says(reading, /who (?:has|have|owns|closed|won|is)/)
      ? dimensions.find(field => ['owner_id', 'assignee_id'].includes(field.key))
      : undefined)
  if (!asked) return
  take(reading, asked.said)
  take(reading, most[1]!)
  plan.groupBy = { label: asked.label, value: asked.value(reading.ctx) }
  plan.top = /fewest|least|lowest|smallest/.test(most[1]!) ? -1 : 1
}

function superlative(reading: Reading, plan: Plan, fields: readonly Field[]): void {
  if (plan.groupBy) return
  const { ctx } = reading
  const count =
    take(
      reading,
      /(?:top|first|last|largest|biggest|latest|newest|next) (?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten)(?! (?:days?|weeks?|months?))/,
    ) ??
    take(
      reading,
      /(?:\d{1,2}|two|three|four|five|six|seven|eight|nine|ten) (?:largest|biggest|highest|latest|newest|most recent|oldest|smallest|most valuable)/,
    )
  const limit =
    count === undefined
      ? 1
      : Number(/\d+/.exec(count)?.[0]) || NUMBER_WORDS.findIndex(word => count.includes(word)) + 2
  const text = count === undefined ? reading.text : ` ${count} ${reading.text}`
  const by = (field: Field | undefined, descending: boolean): void => {
    if (!field) return
    plan.order = { by: field.value(ctx), label: field.label, type: field.type, descending, limit }
    plan.shown.push(field)
  }
  const of = (key: string) => fields.find(field => field.key === key)
  const related = NOUNS.find(
    ([kind, pattern]) =>
      kind !== plan.entity &&
      bounded(`(?:the )?(?:most|fewest|largest number of) (?:open |won )?(?:${pattern.source})`).test(text),
  )
  const counted = related && countOf(ctx, plan.entity, related[0])
  if (counted) {
    const fewest = take(reading, /(?:the )?fewest/) !== undefined
    take(reading, /(?:the )?(?:most|largest number of)/)
    take(reading, related[1])
    plan.order = { by: counted, label: TABLES[related[0]].many, type: 'number', descending: !fewest, limit }
    return
  }
  const numeric = fields.filter(field => field.type === 'number' || field.type === 'money')
  const asked = numeric.find(field => says(reading, field.said))
  const size = asked ?? of('amount') ?? of('employee_count')
  const moment = plan.entity === 'activity' ? of('when') : of('created_at')
  if (
    bounded(
      /(?:the )?(?:largest|biggest|highest|most valuable|most expensive|greatest|maximum|max|top|most (?:employees|revenue|people|staff))/,
    ).test(text) ||
    /(?<= )top \d/.test(text)
  ) {
    take(
      reading,
      /(?:the )?(?:largest|biggest|highest|most valuable|most expensive|greatest|maximum|max|top|most)/,
    )
    if (size) take(reading, size.said)
    by(size, true)
  } else if (take(reading, /(?:the )?(?:smallest|lowest|least valuable|cheapest|minimum|min|fewest|least)/)) {
    if (size) take(reading, size.said)
    by(size, false)
  } else if (
    plan.entity === 'deal' &&
    take(
      reading,
      /(?:closing|closes|close|due) (?:the )?(?:soonest|next|first|earliest)|next (?:deal )?to close|(?:the )?(?:soonest|earliest|nearest) (?:expected )?(?:to close|close(?: date)?|closing)/,
    )
  ) {
    reading.conditions.push(
      { where: stageType(reading, 'open'), said: 'open' },
      { where: sql`r.expected_close_date >= ${today(reading)}::date`, said: 'to come' },
    )
    by(of('expected_close_date'), false)
  } else if (
    plan.entity === 'activity' &&
    take(reading, /(?:the |my |our )?next(?= (?:call|meeting|task|activity|appointment|¤))/)
  ) {
    reading.conditions.push({
      where: sql`r.status in ('planned', 'in_progress') and r.planned_at >= ${reading.now.toISOString()}::timestamptz`,
      said: 'to come',
    })
    by(of('when'), false)
  } else if (
    bounded(/(?:the )?(?:latest|newest|most recent(?:ly)?(?: (?:added|created))?|last)/).test(text)
  ) {
    take(
      reading,
      /(?:the )?(?:latest|newest|most recent(?:ly)?(?: (?:added|created))?|last(?: (?:added|created))?)/,
    )
    if (says(reading, /closed|won|lost/) && plan.entity === 'deal') by(of('closed_at'), true)
    else by(moment, true)
  } else if (take(reading, /(?:the )?(?:oldest|earliest|first|longest)/))
    by(says(reading, /stuck|stage/) ? (of('stage_entered_at') ?? moment) : moment, false)
}
const NUMBER_WORDS = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

function measureOf(reading: Reading, plan: Plan, fields: readonly Field[]): Measure {
  const numeric = fields.filter(field => field.type === 'number' || field.type === 'money')
  const field = numeric.find(one => says(reading, one.said)) ?? numeric.find(one => one.type === 'money')
  if (take(reading, /win rate|close rate|conversion rate/)) return { kind: 'win rate' }
  if (
    take(
      reading,
      /how many|(?:the )?(?:total )?(?:(?<!phone )(?<!mobile )number|count) of|count(?: up)?(?: all)?(?: the)?/,
    )
  ) {
    take(reading, /total/)
    return { kind: 'count' }
  }
  if (take(reading, /average|avg|mean|typical/) && field) {
    take(reading, field.said)
    return { kind: 'average', field }
  }
  const total = take(
    reading,
    /totals?|sum(?: of| up)?|combined|how much|add(?:ed)? up|weighted|forecast(?:ed)?|aggregate/,
  )
  const weighted = /weighted|forecast/.test(total ?? '') || take(reading, /weighted/) !== undefined
  if (
    (total !== undefined ||
      says(reading, /pipeline/) ||
      (plan.groupBy && says(reading, /value|worth|amounts?|revenue|money/))) &&
    field &&
    plan.entity !== 'activity' &&
    !plan.order
  ) {
    take(reading, field.said)
    return { kind: 'sum', field, weighted }
  }
  if (plan.groupBy) return { kind: 'count' }
  if (/^ (?:is|are|do|does|did|have|has|any|were|was) (?!¤)/.test(reading.text) && !plan.order)
    return { kind: 'any' }
  return { kind: 'list' }
}

/** "Who did I last talk to at Acme", "when did we last speak with Ann" */
function lastContact(reading: Reading): Plan | undefined {
  const verb =
    '(?:talk(?:ed)?|sp(?:eak|oke|oken)|contact(?:ed)?|me(?:e)?t|call(?:ed)?|e-?mail(?:ed)?|hear(?:d)?|interact(?:ed)?|touch(?:ed)?|reach(?:ed)?|connect(?:ed)?|chat(?:ted)?|been in touch|in touch|in contact)'
  const pattern = `(?:(?:last|most recently|latest|last time)(?: (?:time|did|have|has|we|i|they|that|had|been|were))* ${verb}|${verb} (?:(?:to|with|from|by|at|us|¤) )*(?:last|most recently)|last (?:conversation|interaction|contact|touchpoint|time))(?: (?:to|with|from|out|by))*`
  const asks = says(reading, /who|whom|which (?:contact|person)/)
    ? 'who'
    : says(reading, /when|what date|what day|how long ago/)
      ? 'when'
      : undefined
  if (!asks || !take(reading, pattern)) return undefined
  take(reading, verb)
  take(reading, /how long ago|what date|what day/)
  const conditions: Condition[] = [
    {
      where: sql`r.happened_at is not null and r.type in ('call', 'meeting', 'email')`,
      said: 'completed calls, meetings and emails',
    },
  ]
  for (const { records } of reading.mentions) {
    const where = records && tiedTo(reading.ctx, 'activity', records.kind, sql`${records.ids}::uuid[]`)
    if (!where) return undefined
    conditions.push({ where, said: [...new Set(records.names)].join(', ') })
  }
  consumeNouns(reading, 'contact')
  if (leftOver(reading).length > 0) return undefined
  return { entity: 'activity', measure: { kind: 'last contact', asks }, conditions, shown: [] }
}
