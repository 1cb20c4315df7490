/** The members of an account and their roles. */

import { sql } from 'kysely'
import { type Ctx, query, queryOne, ROLES, type Role, transaction } from '../../kernel/context.ts'
import { type ApiRequest, endpoint, putAndPatch } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { fold } from '../../kernel/fold.ts'
import { empty } from '../../kernel/general-endpoints.ts'
import { pageParameters } from '../../kernel/page.ts'
import type { Page } from '../../kernel/resource.ts'
import { type Infer, object, optional, text, uuid } from '../../kernel/schema/index.ts'
import { deleteRows, rows, updateRows } from '../../kernel/statements.ts'
import { ofOwnAccount, pageOf, pageOutput, unchanged } from './endpoints.ts'
import { checkSuccessor, reassignRecords } from './reassign.ts'
import { memberOutput, role } from './schemas.ts'

interface Member {
  user_id: string
  role: Role
}

const selectMembers = (ctx: Ctx) =>
  sql<Member>`select m.user_id as id, m.created_at, m.updated_at, m.account_id, m.user_id, u.email, u.name, m.role
    from ${rows(ctx, 'members')} m join users u on u.id = m.user_id`

const listQuery = object({ ...pageParameters(), search: optional(text({ max: 1000 })), role: optional(role) })

function listMembers(ctx: Ctx, params: Infer<typeof listQuery>): Promise<Page<Member>> {
  const search = params.search?.trim()
  const select = sql<Member>`${selectMembers(ctx)} where true
    ${params.role === undefined ? sql`` : sql`and m.role = ${params.role}`}
    ${search ? sql`and strpos(fold(u.name || ' ' || u.email), ${fold(search)}) > 0` : sql``}`
  return pageOf(ctx, select, sql`created_at, user_id`, params)
}

async function getMember(ctx: Ctx, userId: string): Promise<Member> {
  const member = await queryOne(ctx, sql<Member>`${selectMembers(ctx)} where m.user_id = ${userId}`)
  if (!member) throw errors.notFound('Member')
  return member
}

/**
 * Reads the member, the caller and all owners, and locks them until the transaction ends: of two owners who leave
 * at the same time, the second is refused as the last one.
 */
async function lockMembers(tx: Ctx, userId: string) {
  const members = await query(
    tx,
    sql<Member>`select m.user_id, m.role from ${rows(tx, 'members')} m
      where m.role = 'owner' or m.user_id in (${userId}, ${tx.user}) order by m.user_id for update`,
  )
  const roleOf = (id: string) => members.find(member => member.user_id === id)?.role
  const owners = members.filter(member => member.role === 'owner')
  const memberRole = roleOf(userId)
  if (memberRole === undefined) throw errors.notFound('Member')
  return {
    memberRole,
    callerRole: roleOf(tx.user),
    isLastOwner: memberRole === 'owner' && owners.length === 1,
  }
}

/** The current role of a person in the account. */
export async function roleOf(ctx: Ctx, userId: string): Promise<Role | undefined> {
  const member = await queryOne(
    ctx,
    sql<Member>`select m.user_id, m.role from ${rows(ctx, 'members')} m where m.user_id = ${userId}`,
  )
  return member?.role
}

/** Refuses a caller whose current role is lower. */
export function needs(required: Role, callerRole: Role | undefined): void {
  if (callerRole === undefined || ROLES.indexOf(callerRole) < ROLES.indexOf(required)) {
    throw errors.roleTooLow(required)
  }
}

const lastOwner = () => errors.conflict('An account needs an owner: make somebody else an owner first')

const roleChange = object({ role: optional(role) }, { title: 'MemberUpdate' })

async function setRole(
  ctx: Ctx,
  request: ApiRequest<{ user_id: string }, object, Infer<typeof roleChange>>,
): Promise<Member> {
  const userId = request.params.user_id
  const newRole = request.body.role
  const changed = await transaction(ctx, async tx => {
    const { memberRole, callerRole, isLastOwner } = await lockMembers(tx, userId)
    unchanged(request, await getMember(tx, userId))
    if (newRole === undefined || newRole === memberRole) return getMember(tx, userId)
    needs(newRole === 'owner' || memberRole === 'owner' ? 'owner' : 'admin', callerRole)
    if (isLastOwner) throw lastOwner()
    await updateRows(tx, 'members', { role: newRole, updated_at: sql`now()` }, sql`r.user_id = ${userId}`)
    return getMember(tx, userId)
  })
  ctx.services.caches.forget('members')
  return changed
}

const removal = object({
  reassign_to: optional(
    uuid({
      description:
        'The member who becomes the owner of their companies, contacts, deals and activities; without it these have no owner',
    }),
  ),
})

async function removeMember(
  ctx: Ctx,
  request: ApiRequest<{ user_id: string }, Infer<typeof removal>>,
): Promise<object> {
  const userId = request.params.user_id
  const successor = request.query.reassign_to
  await transaction(ctx, async tx => {
    const { memberRole, callerRole, isLastOwner } = await lockMembers(tx, userId)
    unchanged(request, await getMember(tx, userId))
    if (userId !== tx.user) needs(memberRole === 'owner' ? 'owner' : 'admin', callerRole)
    if (isLastOwner) throw lastOwner()
    if (successor !== undefined) await checkSuccessor(tx, userId, successor)
    await deleteRows(tx, 'members', sql`r.user_id = ${userId}`)
    // After the row is deleted: a request that made them an owner had locked it, and has ended by now.
    await reassignRecords(tx, userId, successor ?? null)
    // Permanently: their keys must not become valid again if they are invited again.
    await updateRows(
      tx,
      'api_keys',
      { revoked_at: sql`now()`, updated_at: sql`now()` },
      sql`r.created_by = ${userId} and r.revoked_at is null`,
    )
  })
  ctx.services.caches.forget('members')
  return {}
}

const tag = 'Accounts'
const all = '/api/accounts/{account_id}/members'
const one = { path: `${all}/{user_id}`, tag } as const

const endpoints = [
  endpoint({
    method: 'GET',
    path: all,
    tag,
    permission: 'accounts:read',
    summary: 'List members',
    description: 'In the order in which they joined. `search` looks into names and email addresses.',
    query: listQuery,
    response: pageOutput(memberOutput),
    run: (ctx, { query: params }) => listMembers(ctx, params),
  }),
  endpoint({
    ...one,
    method: 'GET',
    permission: 'accounts:read',
    summary: 'Get a member',
    description: '404 for a person who has left the account or never was a member.',
    response: memberOutput,
    single: true,
    run: (ctx, { params }) => getMember(ctx, params.user_id),
  }),
  ...putAndPatch(
    endpoint({
      ...one,
      method: 'PUT',
      permission: 'accounts:write',
      role: 'admin',
      summary: 'Update a member',
      description:
        'Only an owner can make a member an owner, or change the role of an owner. The last owner cannot be changed.',
      body: roleChange,
      ifMatch: true,
      response: memberOutput,
      single: true,
      run: setRole,
    }),
  ),
  endpoint({
    ...one,
    method: 'DELETE',
    permission: 'accounts:write',
    // every member may leave; whether the caller may remove another is checked once the member is read
    role: 'viewer',
    summary: 'Remove a member or leave the account',
    description:
      '`reassign_to` becomes the owner of their companies, contacts, deals and activities; without it these have no owner. API keys that they created are revoked. The last owner cannot leave.',
    query: removal,
    ifMatch: true,
    response: empty,
    run: removeMember,
  }),
]

export const memberEndpoints = endpoints.map(ofOwnAccount)
