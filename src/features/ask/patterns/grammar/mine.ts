/** "my", "mine", "I": what is the asker's own. */
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../../../../kernel/context.ts'
import { living, rows } from '../../../../kernel/statements.ts'
import type { Kind } from '../fields/index.ts'
import { type Reading, says, take } from './reading.ts'

const MINE =
  /my|mine|(?:that )?i own|(?:are )?assigned to me|owned by me|do i(?= (?:own|handle|manage))|am i(?= responsible)/
const OTHERS =
  /(?:not|aren t|isn t) mine|(?:not|aren t|isn t) (?:owned by|assigned to) me|(?:owned by|assigned to) (?:others|someone else|somebody else|other people|(?:my )?colleagues)/
const HAVE = /(?:do|am) i(?= (?:have|working))/
/** Who asks so wants to see something, or knows somebody. */
const SEES = ' (?:(?:can|should|need to|want to|am) )?(?:see|know|get|find|look|looking|view) '
const SUBJECT = new RegExp(`(?<! (?:can|could|may|might) )i(?!${SEES})|(?:by|with) me`)
/** "I" alone is often said for "we", of those who are named: what meetings did I have with Acme. */
const HAS_BEEN =
  /(?:did|have|had) i(?: ever)? (?:have|had|meet|met|see|call|talk|speak)|i (?:had|met|spoke|talked|called|have had)/
const ADDED =
  /(?:did|have) i (?:add|creat|enter|import)(?:e?d)?|i (?:(?:have|had) )?(?:added|created|entered|imported)/

/** Mine or nobody's: who works alone often leaves it empty. */
export const byMe = (ctx: Ctx, column: string): RawBuilder<unknown> =>
  sql`(${sql.ref(column)} is null or ${sql.ref(column)} = ${ctx.user})`

export function mine(reading: Reading, entity: Kind): void {
  if (entity === 'company') myCompanies(reading)
  if (entity === 'company' || entity === 'note') return
  const { ctx, conditions } = reading
  const column = entity === 'activity' ? 'r.assignee_id' : 'r.owner_id'
  const isNamed = reading.mentions.some(({ records }) => records)
  // "who is my contact at Acme": whoever we know there
  if (entity === 'contact' && isNamed && /^ whom? /.test(reading.text) && take(reading, /my/)) return
  if (addedByMe(reading)) return
  if (take(reading, OTHERS)) {
    conditions.push({ where: sql`${sql.ref(column)} is distinct from ${ctx.user}`, said: 'not mine' })
    return
  }
  if (take(reading, MINE)) {
    conditions.push({ where: sql`${sql.ref(column)} = ${ctx.user}`, said: 'mine' })
    return
  }
  if (entity === 'contact' ? !take(reading, HAVE) : !isSubject(reading, entity, isNamed)) return
  conditions.push({ where: byMe(ctx, column), said: 'mine or nobody’s' })
}

function isSubject(reading: Reading, entity: Kind, isNamed: boolean): boolean {
  if (take(reading, HAVE)) return true
  if (entity === 'activity' && isNamed && says(reading, HAS_BEEN) && !says(reading, /by me|how many/))
    return false
  return take(reading, SUBJECT) !== undefined
}

/** "how many contacts did I add": who did is known. */
function addedByMe(reading: Reading): boolean {
  const said = take(reading, ADDED)
  if (said === undefined) return false
  // the time is when that was
  if (reading.span) reading.text = `${reading.text}created `
  reading.conditions.push({ where: sql`r.created_by = ${reading.ctx.user}`, said: 'created by me' })
  return true
}

/** A company has no owner: those of its deals and its people look after it. */
function myCompanies(reading: Reading): void {
  const { ctx } = reading
  if (addedByMe(reading) || !take(reading, MINE)) return
  const owned = (whose: RawBuilder<unknown>) => sql`(
    r.id in (select c.company_id from ${living(ctx, 'contacts')} c where c.company_id is not null and c.owner_id ${whose})
    or r.id in (select l.company_id from ${rows(ctx, 'deal_companies')} l
      join ${living(ctx, 'deals')} d on d.id = l.deal_id where d.owner_id ${whose}))`
  reading.conditions.push({
    where: sql`(${owned(sql`= ${ctx.user}`)} or not ${owned(sql`is not null`)})`,
    said: 'mine or nobody’s',
  })
}
