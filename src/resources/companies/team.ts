/** A company's team: the contacts that belong to it, with their roles. */
import { sql } from 'kysely'
import { type Ctx, query, transaction } from '../../kernel/context.ts'
import { lockRecords } from '../../kernel/crud.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { empty } from '../../kernel/general-endpoints.ts'
import { checkReferences, replaceLinks } from '../../kernel/links.ts'
import { checkMayRead } from '../../kernel/reach.ts'
import { boolean, datetime, list, nullable, object, optional, text, uuid } from '../../kernel/schema/index.ts'
import { deleteRows, living, rows, updateRows } from '../../kernel/statements.ts'
import { changingTeam } from './membership.ts'
import { teamLink } from './record.ts'

const MAX_TEAM = 1000

const linkOutput = object(
  {
    id: uuid(),
    company_id: uuid(),
    person_id: uuid(),
    created_at: datetime(),
    role: nullable(text()),
    is_primary: boolean(),
    created_by: nullable(uuid()),
  },
  { title: 'CompanyTeamLink' },
)

const memberOutput = object(
  {
    id: uuid(),
    person_id: uuid(),
    created_at: datetime(),
    first_name: nullable(text()),
    last_name: nullable(text()),
    full_name: text(),
    email: nullable(text()),
    phone: nullable(text()),
    job_title: nullable(text()),
    last_interaction: nullable(datetime()),
    role: nullable(text()),
    is_primary: boolean(),
    created_by: nullable(uuid()),
  },
  { title: 'CompanyTeamMember' },
)

async function mustExist(ctx: Ctx, companyId: string): Promise<void> {
  const [company] = await query(
    ctx,
    sql`select c.id from ${living(ctx, 'companies')} c where c.id = ${companyId}`,
  )
  if (!company) throw errors.notFound('Company')
}

export async function listTeam(ctx: Ctx, companyId: string): Promise<unknown[]> {
  checkMayRead(ctx, 'contacts')
  await mustExist(ctx, companyId)
  return query(
    ctx,
    sql`select l.id, l.person_id, l.created_at, p.first_name, p.last_name, p.full_name, p.email, p.phone,
        p.job_title, p.last_interaction, l.role, l.is_primary, l.created_by
      from ${rows(ctx, 'company_people')} l join ${living(ctx, 'contacts')} p on p.id = l.person_id
      where l.company_id = ${companyId} order by l.position, l.id`,
  )
}

const linksOf = (ctx: Ctx, companyId: string) =>
  query(
    ctx,
    sql`select l.id, l.company_id, l.person_id, l.created_at, l.role, l.is_primary, l.created_by
      from ${rows(ctx, 'company_people')} l join ${living(ctx, 'contacts')} p on p.id = l.person_id
      where l.company_id = ${companyId} order by l.position, l.id`,
  )

/** Contacts who stay keep `role` and `is_primary`; new ones have neither. */
export function replaceTeam(ctx: Ctx, companyId: string, personIds: string[]): Promise<unknown[]> {
  return transaction(ctx, async tx => {
    await changingTeam(tx, companyId, async () => {
      await checkReferences(tx, teamLink.target, personIds, index => ['body', index])
      await replaceLinks(tx, teamLink, [{ own: companyId, ids: personIds }])
    })
    await touch(tx, companyId)
    return linksOf(tx, companyId)
  })
}

export function leaveTeam(ctx: Ctx, companyId: string, personId: string): Promise<void> {
  return transaction(ctx, async tx => {
    const gone = await changingTeam(tx, companyId, () =>
      deleteRows(
        tx,
        'company_people',
        sql`r.company_id = ${companyId} and r.person_id = ${personId}
          and r.person_id in (select p.id from ${living(tx, 'contacts')} p)`,
        sql`r.id`,
      ),
    )
    if (gone.length === 0) throw errors.notFound('Team member')
    await touch(tx, companyId)
  })
}

interface Membership {
  role?: string | null
  is_primary?: boolean
}

export function setMembership(
  ctx: Ctx,
  companyId: string,
  personId: string,
  change: Membership,
): Promise<unknown> {
  return transaction(ctx, async tx => {
    if ((await lockRecords(tx, 'companies', [companyId])).length === 0) throw errors.notFound('Company')
    const isMember = sql`r.company_id = ${companyId} and r.person_id = ${personId}
      and r.person_id in (select p.id from ${living(tx, 'contacts')} p)`
    if (change.is_primary) {
      // at most one is primary: the previous one loses it
      await updateRows(
        tx,
        'company_people',
        { is_primary: false },
        sql`r.company_id = ${companyId} and r.person_id <> ${personId} and r.is_primary`,
      )
    }
    const set = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    const [row] = await updateRows(
      tx,
      'company_people',
      Object.keys(set).length > 0 ? set : sql`role = role`,
      isMember,
      sql`r.id, r.company_id, r.person_id, r.created_at, r.role, r.is_primary, r.created_by`,
    )
    if (!row) throw errors.notFound('Team member')
    await touch(tx, companyId)
    return row
  })
}

const touch = (tx: Ctx, companyId: string) =>
  updateRows(tx, 'companies', { updated_at: sql`now()` }, sql`r.id = ${companyId}`)

const tag = 'Companies'
const team = '/api/companies/{company_id}/team'

export const teamEndpoints = [
  endpoint({
    method: 'GET',
    path: team,
    tag,
    permission: 'companies:read',
    summary: 'List the team of a company',
    description:
      'All contacts of the team in their order, without those in the trash. Also needs the scope `contacts:read`.',
    response: list(memberOutput),
    run: (ctx, { params }) => listTeam(ctx, params.company_id),
  }),
  endpoint({
    method: 'PUT',
    path: team,
    tag,
    permission: 'companies:write',
    summary: 'Replace the team of a company',
    description:
      'The body lists every contact of the team in order. Contacts who stay keep `role` and `is_primary`. The company is no longer the primary company of contacts who leave, and becomes that of contacts who join and have none.',
    body: list(uuid(), { max: MAX_TEAM }),
    response: list(linkOutput),
    run: (ctx, { params, body }) => replaceTeam(ctx, params.company_id, body),
  }),
  endpoint({
    method: 'PUT',
    path: `${team}/{person_id}`,
    tag,
    permission: 'companies:write',
    summary: 'Update a team member',
    description:
      'An absent field is not changed. A company has at most one primary contact: the previous one is no longer primary. 404 if the contact is not in the team.',
    body: object({ role: optional(nullable(text({ max: 255 }))), is_primary: optional(boolean()) }),
    response: linkOutput,
    run: (ctx, { params, body }) => setMembership(ctx, params.company_id, params.person_id, body),
  }),
  endpoint({
    method: 'DELETE',
    path: `${team}/{person_id}`,
    tag,
    permission: 'companies:write',
    summary: 'Remove a contact from the team',
    description: 'The contact remains. If the company was their primary company, they have none afterwards.',
    response: empty,
    run: async (ctx, { params }) => {
      await leaveTeam(ctx, params.company_id, params.person_id)
      return {}
    },
  }),
]
