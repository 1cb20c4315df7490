/** How records hang on each other, in SQL. */
import { sql } from 'kysely'
import type { Ctx } from '../../../../kernel/context.ts'
import { living, rows, type TableName } from '../../../../kernel/statements.ts'
import type { Kind, Sql } from './field.ts'

/** Records of a kind (`r`) that are tied to one of the given records (an array of ids) of another kind. */
export function tiedTo(ctx: Ctx, kind: Kind, other: Kind, ids: Sql): Sql | undefined {
  const any = sql`any(${ids})`
  const link = (table: TableName, own: string, far: string): Sql =>
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

/**
 * How many records of another kind hang on a record `r`: "companies with more than 3 contacts". `narrow`: of deals
 * only those that are open, won or lost; of activities only the calls, or the tasks.
 */
export function countOf(ctx: Ctx, kind: Kind, other: Kind, narrow?: string): Sql | undefined {
  const ties: Record<string, [table: TableName, own: string, far: string, target: TableName]> = {
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
    where l.${sql.ref(own)} = r.id ${only(ctx, other, narrow)})`
}

const only = (ctx: Ctx, kind: Kind, narrow: string | undefined): Sql =>
  narrow === undefined
    ? sql``
    : kind === 'deal'
      ? sql`and t.stage_id in (select s.id from ${rows(ctx, 'stages')} s where s.type = ${narrow})`
      : sql`and t.type = ${narrow}`
