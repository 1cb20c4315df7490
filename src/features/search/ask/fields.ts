/** The fields that questions are about, for each kind of record: how people call them and what they are in SQL. */
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { living, rows } from '../../../kernel/statements.ts'

type Sql = RawBuilder<unknown>
export type Kind = 'deal' | 'contact' | 'company' | 'activity' | 'note'

export interface Field {
  key: string
  /** how it is called in an answer */
  label: string
  /** how it is called in a question; the first is enough when a value of it is named */
  said: RegExp
  type: 'text' | 'number' | 'money' | 'day' | 'time'
  /** of the record `r` */
  value(ctx: Ctx): Sql
  /** may a value of it be named without the field's name: "deals in Proposal", "contacts in Berlin" */
  byValue?: boolean
  /** may records be grouped by it */
  groups?: boolean
}

const column = (key: string, type: Field['type'], said: RegExp, more: Partial<Field> = {}): Field => ({
  key,
  label: key.replaceAll('_', ' '),
  said,
  type,
  value: () => sql`r.${sql.ref(key)}`,
  ...more,
})

const named = (ctx: Ctx, table: string, id: string, name = 'name'): Sql =>
  sql`(select t.${sql.ref(name)} from ${living(ctx, table)} t where t.id = r.${sql.ref(id)})`
const person = (id: string): Sql => sql`(select u.name from users u where u.id = r.${sql.ref(id)})`
const value = { byValue: true, groups: true }

const place = [
  column('city', 'text', /cit(?:y|ies)|town/, value),
  column('state', 'text', /states?|provinces?|regions?/, value),
  column('country', 'text', /countr(?:y|ies)/, value),
  column('address', 'text', /addresses|address|street/),
  column('postal_code', 'text', /(?:postal|zip) ?codes?|zip/),
]
const dates = [
  column('created_at', 'time', /created|added|new|creation date|entered/, { label: 'created' }),
  column('updated_at', 'time', /updated|changed|modified|edited/, { label: 'updated' }),
]
const owner: Field = {
  key: 'owner_id',
  label: 'owner',
  said: /owners?|owned|owns?|responsible|account managers?|reps?|salespersons?|salespeople|sellers?/,
  type: 'text',
  value: () => person('owner_id'),
  ...value,
}

export const FIELDS: Record<Kind, Field[]> = {
  deal: [
    column('amount', 'money', /amounts?|values?|worth|price|revenue|size|money|volume/),
    {
      key: 'probability',
      label: 'probability',
      said: /probabilit(?:y|ies)|likelihood|chances?/,
      type: 'number',
      value: ctx =>
        sql`coalesce(r.probability, (select s.probability from ${rows(ctx, 'stages')} s where s.id = r.stage_id))`,
    },
    {
      key: 'stage_id',
      label: 'stage',
      said: /stages?|phases?|steps?/,
      type: 'text',
      value: ctx => named(ctx, 'stages', 'stage_id'),
      ...value,
    },
    {
      key: 'pipeline_id',
      label: 'pipeline',
      said: /pipelines/,
      type: 'text',
      value: ctx => named(ctx, 'pipelines', 'pipeline_id'),
      ...value,
    },
    {
      key: 'company_id',
      label: 'company',
      said: /compan(?:y|ies)|accounts?|customers?|clients?|organi[sz]ations?/,
      type: 'text',
      value: ctx => named(ctx, 'companies', 'company_id'),
      groups: true,
    },
    {
      key: 'primary_contact_id',
      label: 'contact',
      said: /contacts?|contact persons?|persons?|people/,
      type: 'text',
      value: ctx => named(ctx, 'contacts', 'primary_contact_id', 'full_name'),
      groups: true,
    },
    owner,
    column(
      'expected_close_date',
      'day',
      /(?:expected )?clos(?:e|es|ing)(?: dates?| soon(?:est)?)?|expected to close|due to close|going to close|close dates?/,
      { label: 'expected close' },
    ),
    column('closed_at', 'time', /closed/, { label: 'closed' }),
    column('next_step', 'text', /next steps?|next actions?/),
    column('lost_reason', 'text', /(?:lost|loss|losing) reasons?|reasons?|why/, { groups: true }),
    column('deal_type', 'text', /(?:deal )?types?/, value),
    column('lead_source', 'text', /(?:lead )?sources?|channels?/, value),
    column('priority', 'text', /priorit(?:y|ies)/, value),
    column('currency', 'text', /currenc(?:y|ies)/, { groups: true }),
    column('last_activity_at', 'time', /last activit(?:y|ies)|activity|activities|touched|inactive/, {
      label: 'last activity',
    }),
    column('stage_entered_at', 'time', /stuck|entered (?:the |this |its )?stage|moved/, {
      label: 'in its stage since',
    }),
    ...dates,
  ],
  contact: [
    column('email', 'text', /e-?mail(?: address(?:es)?)?s?|mail address/),
    column('phone', 'text', /(?:tele)?phone(?: numbers?)?s?|numbers?|mobile|cell/),
    column('job_title', 'text', /(?:job )?titles?|positions?|roles?|jobs?/, value),
    column('department', 'text', /departments?/, value),
    {
      key: 'company_id',
      label: 'company',
      said: /compan(?:y|ies)|employers?|organi[sz]ations?|works?/,
      type: 'text',
      value: ctx => named(ctx, 'companies', 'company_id'),
      groups: true,
    },
    owner,
    column('status', 'text', /status(?:es)?/, value),
    column('lead_source', 'text', /(?:lead )?sources?|channels?/, value),
    column('language', 'text', /languages?|speaks?/, value),
    column('timezone', 'text', /time ?zones?/, { groups: true }),
    column('connection_strength', 'text', /connection(?: strength)?|relationship/, { groups: true }),
    column('linkedin_url', 'text', /linkedin(?: profile)?/, { label: 'LinkedIn' }),
    column('birthday', 'day', /birthdays?|born|birth/),
    ...place,
    column(
      'last_interaction',
      'time',
      /last (?:interactions?|contact(?:ed)?|spoken|touch(?:ed)?|talked)|contacted|interactions?|heard|spoken|talked|touched|reached/,
      { label: 'last interaction' },
    ),
    column('next_interaction', 'time', /next (?:interactions?|contact|meeting|call)/, {
      label: 'next interaction',
    }),
    ...dates,
  ],
  company: [
    column('industry', 'text', /industr(?:y|ies)|sectors?|branch(?:es)?/, value),
    column('employee_count', 'number', /employees?(?: count)?|headcount|staff|people|workers/, {
      label: 'employees',
    }),
    column('annual_revenue', 'money', /(?:annual )?revenues?|turnover|sales/),
    column('company_size', 'text', /(?:company )?sizes?/, { groups: true }),
    column('status', 'text', /status(?:es)?/, value),
    column('connection_strength', 'text', /connection(?: strength)?|relationship/, { groups: true }),
    column('email', 'text', /e-?mail(?: address(?:es)?)?s?/),
    column('phone', 'text', /(?:tele)?phone(?: numbers?)?s?|numbers?/),
    column('website', 'text', /web ?sites?|web ?pages?|homepages?|urls?/),
    {
      key: 'domains',
      label: 'domains',
      said: /domains?/,
      type: 'text',
      value: () => sql`texts_of(r.domains)`,
    },
    ...place,
    ...dates,
  ],
  activity: [
    column('type', 'text', /(?:activity )?types?|kinds?/, { groups: true }),
    column('status', 'text', /status(?:es)?/, { groups: true }),
    column('priority', 'text', /priorit(?:y|ies)/, value),
    column('outcome', 'text', /outcomes?|results?/, { groups: true }),
    column('location', 'text', /locations?|where|places?/),
    column('duration_minutes', 'number', /durations?|minutes|long/, { label: 'duration in minutes' }),
    column('falls_due_at', 'time', /due(?: dates?)?|deadlines?/, { label: 'due' }),
    column('start_at', 'time', /starts?|scheduled|begins?|take place|happening|planned for/, {
      label: 'start',
    }),
    column('completed_at', 'time', /completed|finished|done/, { label: 'completed' }),
    {
      key: 'when',
      label: 'on',
      said: /when|on|held|happen(?:ed|s)?|made|had|did/,
      type: 'time',
      value: () => sql`coalesce(r.happened_at, r.start_at, r.falls_due_at, r.created_at)`,
    },
    {
      key: 'assignee_id',
      label: 'assignee',
      said: /assignees?|assigned(?: to)?|owners?|owned|responsible|reps?/,
      type: 'text',
      value: () => person('assignee_id'),
      ...value,
    },
    ...dates,
  ],
  note: [
    {
      key: 'user_id',
      label: 'author',
      said: /authors?|written(?: by)?|wrote|by/,
      type: 'text',
      value: () => person('user_id'),
      ...value,
    },
    ...dates,
  ],
}

export const TABLES: Record<Kind, { table: string; name: string; one: string; many: string }> = {
  deal: { table: 'deals', name: 'name', one: 'deal', many: 'deals' },
  contact: { table: 'contacts', name: 'full_name', one: 'contact', many: 'contacts' },
  company: { table: 'companies', name: 'name', one: 'company', many: 'companies' },
  activity: { table: 'activities', name: 'subject', one: 'activity', many: 'activities' },
  note: { table: 'notes', name: 'title', one: 'note', many: 'notes' },
}

/** Records of a kind (`r`) that are tied to one of the given records (an array of ids) of another kind. */
export function tiedTo(ctx: Ctx, kind: Kind, other: Kind, ids: Sql): Sql | undefined {
  const any = sql`any(${ids})`
  const link = (table: string, own: string, far: string): Sql =>
    sql`r.id in (select l.${sql.ref(own)} from ${rows(ctx, table)} l where l.${sql.ref(far)} = ${any})`
  const peopleOf = sql`select c.id from ${rows(ctx, 'contacts')} c where c.company_id = ${any}
    union all select p.person_id from ${rows(ctx, 'company_people')} p where p.company_id = ${any}`
  const dealsOf = sql`select d.deal_id from ${rows(ctx, 'deal_companies')} d where d.company_id = ${any}`
  if (kind === other) return sql`r.id = ${any}`
  switch (`${kind} ${other}`) {
    case 'deal company':
      return link('deal_companies', 'deal_id', 'company_id')
    case 'deal contact':
      return link('deal_contacts', 'deal_id', 'contact_id')
    case 'contact company':
      return sql`r.id in (${peopleOf})`
    case 'contact deal':
      return link('deal_contacts', 'contact_id', 'deal_id')
    case 'company deal':
      return link('deal_companies', 'company_id', 'deal_id')
    case 'company contact':
      return sql`(${link('company_people', 'company_id', 'person_id')}
        or r.id in (select c.company_id from ${rows(ctx, 'contacts')} c where c.id = ${any}))`
    case 'activity company':
      return sql`(${link('activity_companies', 'activity_id', 'company_id')}
        or r.id in (select l.activity_id from ${rows(ctx, 'activity_contacts')} l where l.contact_id in (${peopleOf}))
        or r.id in (select l.activity_id from ${rows(ctx, 'activity_deals')} l where l.deal_id in (${dealsOf})))`
    case 'activity contact':
      return link('activity_contacts', 'activity_id', 'contact_id')
    case 'activity deal':
      return link('activity_deals', 'activity_id', 'deal_id')
    case 'contact activity':
      return link('activity_contacts', 'contact_id', 'activity_id')
    case 'company activity':
      return link('activity_companies', 'company_id', 'activity_id')
    case 'note company':
      return link('note_companies', 'note_id', 'company_id')
    case 'note contact':
      return link('note_contacts', 'note_id', 'contact_id')
    case 'note deal':
      return link('note_deals', 'note_id', 'deal_id')
    case 'note activity':
      return link('note_activities', 'note_id', 'activity_id')
    default:
      return undefined
  }
}

/** How many records of another kind hang on a record `r`: "companies with more than 3 contacts". */
export function countOf(ctx: Ctx, kind: Kind, other: Kind): Sql | undefined {
  const ties: Record<string, [table: string, own: string, far: string, target: string]> = {
    'company deal': ['deal_companies', 'company_id', 'deal_id', 'deals'],
    'company activity': ['activity_companies', 'company_id', 'activity_id', 'activities'],
    'company note': ['note_companies', 'company_id', 'note_id', 'notes'],
    'contact deal': ['deal_contacts', 'contact_id', 'deal_id', 'deals'],
    'contact activity': ['activity_contacts', 'contact_id', 'activity_id', 'activities'],
    'contact note': ['note_contacts', 'contact_id', 'note_id', 'notes'],
    'deal contact': ['deal_contacts', 'deal_id', 'contact_id', 'contacts'],
    'deal activity': ['activity_deals', 'deal_id', 'activity_id', 'activities'],
    'deal note': ['note_deals', 'deal_id', 'note_id', 'notes'],
  }
  if (kind === 'company' && other === 'contact') {
    return sql`(select count(*) from ${living(ctx, 'contacts')} c where c.company_id = r.id
      or c.id in (select p.person_id from ${rows(ctx, 'company_people')} p where p.company_id = r.id))`
  }
  const tie = ties[`${kind} ${other}`]
  if (!tie) return undefined
  const [table, own, far, target] = tie
  return sql`(select count(*) from ${rows(ctx, table)} l join ${living(ctx, target)} t on t.id = l.${sql.ref(far)}
    where l.${sql.ref(own)} = r.id)`
}
