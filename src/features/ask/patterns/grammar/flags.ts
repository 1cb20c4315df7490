/** Yes-or-no fields: who has opted out, whom nobody may contact, and those that the account has declared. */
import { sql } from 'kysely'
import { rows } from '../../../../kernel/statements.ts'
import type { Kind } from '../fields/index.ts'
import type { Condition } from '../plan.ts'
import { type Reading, take } from './reading.ts'

const MAIL = '(?:e-?mails?|e-?mailings?|mails?|mailings?|newsletters?|marketing)(?: e-?mails?)?'
const OUT = `(?:opt(?:ed|ing|s)?[- ]out|unsubscribed?)(?: (?:of|from) (?:(?:our|all|the|any|receiving|getting) )*${MAIL})?`

const FLAGS: { column: string; said: string; not: string; pattern: string }[] = [
  {
    column: 'email_opt_out',
    said: 'opted out of emails',
    not: 'not opted out of emails',
    pattern: `(?:e-?mail )?opt-?outs?(?: list)?|${OUT}|(?:do not|does not|don t|doesn t|didn t|not) (?:want|wish|like)(?: to (?:get|receive|have))?(?: (?:any|our|more))* ${MAIL}(?: from us)?|(?:must|may|should|can|could|are|am) (?:we |i )?(?:not|no longer) (?:allowed to |to |supposed to )?(?:be )?e-?mail(?:ed)?|(?:can t|cannot|mustn t|shouldn t) (?:we |i )?(?:be )?e-?mail(?:ed)?|do not e-?mail(?: (?:list|flag))?`,
  },
  {
    column: 'do_not_contact',
    said: 'do not contact',
    not: 'may be contacted',
    pattern:
      '(?:on (?:the|our) )?(?:do[- ]not[- ]disturb|do[- ]not[- ]contact|dnc|no[- ]contact(?= (?:list|flag))|(?<! (?:have|has|had|with) )no[- ]contact|do[- ]not[- ]call)(?: (?:list|flag))?|(?:must|may|should|can|could|shall|are|is|am)(?: (?:we|i|you))?(?: allowed)? (?:not|no longer)(?: allowed| supposed| permitted)? (?:to )?(?:be )?(?:contact(?:ed)?|call(?:ed)?|approach(?:ed)?|disturb(?:ed)?)|(?:mustn t|shouldn t|can t|cannot|aren t)(?: (?:we|i))?(?: (?:allowed|supposed|permitted) to)? (?:be )?(?:contact(?:ed)?|approach(?:ed)?|call(?:ed)?)|(?:do not|does not|don t|doesn t) (?:want|wish|like) (?:us )?to (?:be )?(?:contact(?:ed)?|called|disturbed)(?: them| by us)?|(?:(?:should|must|shall|have to|need to) )?(?:we )?leave alone|not to be contacted|off[- ]limits',
  },
]
const NOT = '(?:not|never|haven t|hasn t|have not|has not|isn t|aren t|without)(?: (?:been|yet|on))?'

/** Of what is flagged, all has been said by the flag. */
const FLAGGED = /(?:flagged|marked|listed|down|set|registered)(?: (?:as|with|for|to))*(?= ¤)/

export interface Flag {
  kind: Kind
  condition: Condition
}

const MAY =
  '(?:(?:may|can|could) (?:we|i)|(?:we|i) (?:may|can|could)|(?:are|am) (?:we|i) allowed to)(?: (?:still|actually|safely))?'

/** "can I email Tess", "contacts we may call": asked of those to whom nothing forbids it. */
function allowed(reading: Reading): Flag[] {
  const how = take(reading, `${MAY} (?:e-?mail|contact|call|phone|approach|write to)`)
  if (how === undefined) return []
  const condition = /mail$|write/.test(how)
    ? { where: sql`not r.email_opt_out and not r.do_not_contact`, said: 'may be emailed' }
    : { where: sql`not r.do_not_contact`, said: 'may be contacted' }
  return [{ kind: 'contact', condition }]
}

/** Taken before the kind is known: "contact" in "do not contact" is no noun. */
export function flagsIn(reading: Reading): Flag[] {
  const built = FLAGS.flatMap(({ column, said, not, pattern }): Flag[] => {
    const match = take(reading, `(?:${NOT} )?(?:${pattern})`)
    if (match) take(reading, FLAGGED)
    if (!match) return []
    const isNot =
      new RegExp(`^${NOT} (?:${pattern})$`).test(match) && !new RegExp(`^(?:${pattern})$`).test(match)
    const where = isNot ? sql`not r.${sql.ref(column)}` : sql`r.${sql.ref(column)}`
    return [{ kind: 'contact', condition: { where, said: isNot ? not : said } }]
  })
  return [...built, ...allowed(reading), ...declared(reading)]
}

/** "companies with a signed NDA", where the account has a field "Signed NDA" that is true or false. */
function declared(reading: Reading): Flag[] {
  const { ctx, vocabulary } = reading
  return (Object.keys(vocabulary.fields) as Kind[]).flatMap(kind =>
    vocabulary.fields[kind].flatMap((field): Flag[] => {
      if (!field.flag) return []
      const match = take(
        reading,
        `(?:(?:with|have|has|without|no|${NOT})(?: an?| any| the)? )?(?:${field.said.source})`,
      )
      if (!match) return []
      const isNot = new RegExp(`^(?:without|no|${NOT}) `).test(match)
      const where = sql`exists (select from ${rows(ctx, 'custom_values')} v where v.entity_id = r.id
        and v.field_id = ${field.flag} and v.text_value = 'true')`
      const said = `${isNot ? 'not ' : ''}${field.label}`
      return [{ kind, condition: { where: isNot ? sql`not ${where}` : where, said } }]
    }),
  )
}
