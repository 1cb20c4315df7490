/**
 * A person's companies: `company_ids` are the teams they are in, `company_id` the primary one of these.
 *
 * - Another `company_id` replaces the old one: the contact leaves that team and joins the new one. `null` leaves the
 *   team without a new primary company. Other companies remain.
 * - `company_ids` is the complete list of teams. A `company_id` that it lacks is added. The primary
 *   company remains if it is in the list; otherwise the first newly joined one becomes primary, if any.
 * - A company in the trash is hidden, and its links remain: no write here removes them.
 *
 * Leaving a team from the company's side is in ../companies/membership.ts.
 */
import type { ContactInput } from './record.ts'

/** The current state: the primary company, whether it is in the trash, and the living companies. */
export interface CompanyStanding {
  company_id: string | null
  company_hidden: boolean
  company_ids: string[]
}

export const NOWHERE: CompanyStanding = { company_id: null, company_hidden: false, company_ids: [] }

export interface CompanyChange {
  /** the values for the contact itself, with its list of companies if that is replaced */
  set: Pick<ContactInput, 'company_id' | 'company_ids'>
  leave?: string
  join?: string
}

export function companyChange(
  now: CompanyStanding,
  input: Pick<ContactInput, 'company_id' | 'company_ids'>,
): CompanyChange {
  // A hidden company reads as null, so sending null back changes nothing.
  const company = input.company_id === null && now.company_hidden ? undefined : input.company_id
  if (input.company_ids !== undefined) return replaced(now, company, input.company_ids ?? [])
  if (company === undefined) return { set: {} }
  const before = now.company_hidden ? null : now.company_id
  return {
    set: { company_id: company },
    ...(before !== null && before !== company ? { leave: before } : {}),
    ...(company === null ? {} : { join: company }),
  }
}

function replaced(now: CompanyStanding, companyId: string | null | undefined, ids: string[]): CompanyChange {
  const company_ids = companyId ? [...ids, companyId] : ids
  if (companyId !== undefined) return { set: { company_id: companyId, company_ids } }
  const stays = now.company_id !== null && (now.company_hidden || ids.includes(now.company_id))
  if (stays) return { set: { company_ids } }
  const joined = ids.find(id => !now.company_ids.includes(id))
  return { set: { company_id: joined ?? null, company_ids } }
}
