/** "by stage", "per month", "which stage has the most": figures for each of something. */
import { sql } from 'kysely'
import { living } from '../../../../kernel/statements.ts'
import { type Field, isNumeric, type Kind } from '../fields/index.ts'
import { COMPANY } from '../fields/people.ts'
import type { Plan } from '../plan.ts'
import { isColleague, PEOPLE } from './colleagues.ts'
import { bounded, type Reading, says, stageType, take } from './reading.ts'

/** A deal has no industry; its company has. */
const throughCompany = (kind: Kind): Field[] =>
  kind !== 'deal' && kind !== 'contact'
    ? []
    : COMPANY.filter(({ key }) => ['industry', 'country', 'city'].includes(key)).map(field => ({
        ...field,
        value: ctx =>
          sql`(select t.${sql.ref(field.key)} from ${living(ctx, 'companies')} t where t.id = r.company_id)`,
      }))

/** "deals closing per month": what is open and has a date. */
function closingEach(reading: Reading): void {
  const said = take(
    reading,
    /(?:(?:is|are|that|we|do|expected|due|will|set|going|planned) )*(?:to )?(?:clos(?:e|es|ing|ings)|expected closings?)/,
  )
  if (said === undefined) return
  const where = sql`r.expected_close_date is not null`
  reading.conditions.push({ where, said: 'with an expected close' })
  if (!says(reading, /open|won|lost|closed/))
    reading.conditions.push({ where: stageType(reading, 'open'), said: 'open' })
}

/** "who is Mia's biggest deal with" asks for neither of our colleagues. */
const isOfOne = (reading: Reading): boolean =>
  / (?:with|at|for|to) $/.test(reading.text) || reading.mentions.some(isColleague)

/** False when it asks for each of several things at once. */
export function groupOf(reading: Reading, plan: Plan, fields: readonly Field[]): boolean {
  group(reading, plan, fields)
  const others = [...fields.filter(field => field.groups), ...throughCompany(plan.entity)]
  const more = others.map(({ said }) => said.source).join('|')
  return (
    !plan.groupBy || !bounded(`¤ (?:and|then|by|per|then by|and by|and per) (?:${more})`).test(reading.text)
  )
}

function group(reading: Reading, plan: Plan, fields: readonly Field[]): void {
  const lead =
    '(?:(?:grouped |broken down |split |sorted )?by|per|for each|for every|in each|at each|across|each)(?: the| every| all| each| deal| sales| account| company| their| its)*'
  const dimensions = [...fields.filter(field => field.groups), ...throughCompany(plan.entity)]
  for (const field of dimensions) {
    if (!take(reading, `${lead} (?:${field.said.source})`)) continue
    plan.groupBy = { label: field.label, value: field.value(reading.ctx) }
    return
  }
  const pipeline = dimensions.find(field => field.key === 'pipeline_id')
  if (pipeline && take(reading, `${lead} pipelines?`)) {
    plan.groupBy = { label: pipeline.label, value: pipeline.value(reading.ctx) }
    return
  }
  const people =
    '(?:person|colleague|team member|member|user|employee|salesman|guy)s?|(?<=each |every one |everyone )of us'
  if (
    take(reading, `${lead} (?:${people})`) ??
    take(reading, /(?:each|every ?one) of (?:us|my colleagues)/)
  ) {
    const who = dimensions.find(field => PEOPLE.includes(field.key))
    if (who) plan.groupBy = { label: who.label, value: who.value(reading.ctx) }
    return
  }
  const unit =
    take(reading, `${lead} (?:expected )?(?:clos(?:e|ing) )?(?:date )?(?:day|week|month|quarter|year)s?`) ??
    take(reading, /daily|weekly|monthly|quarterly|yearly|annually/)
  if (unit) {
    const key = /clos/.test(unit)
      ? 'expected_close_date'
      : says(reading, /won|lost|closed/)
        ? 'closed_at'
        : says(reading, /clos(?:e|es|ing|ings)|expected|pipeline|forecast/) && plan.entity === 'deal'
          ? 'expected_close_date'
          : plan.entity === 'activity'
            ? 'when'
            : 'created_at'
    const name = /day|dai|week|month|quarter|year|annu/
      .exec(unit)![0]
      .replace('dai', 'day')
      .replace('annu', 'year')
    const field = fields.find(one => one.key === key)
    if (!field) {
      // "contacts lost per month": they have no such date, and the month stays for what it is
      reading.text = `${reading.text}${unit} `
      return
    }
    if (key === 'expected_close_date') closingEach(reading)
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
  // "the most common lost reason", "what reasons do we lose deals for"
  for (const field of dimensions) {
    const common = take(
      reading,
      `(?:the |our )?(?:most (?:common|frequent|popular)|usual|main) (?:${field.said.source})`,
    )
    if (
      !common &&
      !(field.key === 'lost_reason' && take(reading, /(?:what|which)(?: are)?(?: the)? reasons/))
    )
      continue
    plan.groupBy = { label: field.label, value: field.value(reading.ctx) }
    if (common) plan.top = 1
    return
  }
  // "which stage has the most deals", "who owns the most pipeline"
  const most = /(?<= )(?:the )?(most|highest|largest|biggest|fewest|least|lowest|smallest)(?= )/.exec(
    reading.text,
  )
  // "who has the highest NPS": the contact, not who looks after most of them
  const ofOne = plan.entity === 'contact' || plan.entity === 'company'
  if (most && ofOne && fields.some(field => isNumeric(field) && says(reading, field.said))) return
  if (!most) {
    // "who has overdue tasks" asks for colleagues
    const who = dimensions.find(field => PEOPLE.includes(field.key))
    const asksWho = /^ who (?:has|have|got) (?:got )?(?!we |i |you |¤)/.test(reading.text)
    if (who && asksWho && (plan.entity === 'deal' || plan.entity === 'activity'))
      plan.groupBy = { label: who.label, value: who.value(reading.ctx) }
    return
  }
  const asked =
    dimensions.find(field =>
      bounded(`(?:which|what|who|whose)(?: is the)? (?:${field.said.source})`).test(reading.text),
    ) ??
    (says(reading, /who (?:has|have|got|owns|closed|won|lost|made|did|is)/) && !isOfOne(reading)
      ? dimensions.find(field => PEOPLE.includes(field.key))
      : undefined)
  if (!asked) return
  take(reading, asked.said)
  take(reading, most[1]!)
  plan.groupBy = { label: asked.label, value: asked.value(reading.ctx) }
  plan.top = /fewest|least|lowest|smallest/.test(most[1]!) ? -1 : 1
}
