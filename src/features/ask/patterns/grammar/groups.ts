/** "by stage", "per month", "which stage has the most": figures for each of something. */
import { sql } from 'kysely'
import { living } from '../../../../kernel/statements.ts'
import { type Field, isNumeric, type Kind } from '../fields/index.ts'
import { COMPANY } from '../fields/people.ts'
import type { Plan } from '../plan.ts'
import { isColleague, PEOPLE } from './colleagues.ts'
import { wordsOf } from './figures.ts'
import { groupOfSome } from './group-ranks.ts'
import { groupByTime } from './group-times.ts'
import { bounded, type Reading, says, take } from './reading.ts'

/** A deal has no industry; its company has. */
const throughCompany = (kind: Kind): Field[] =>
  kind !== 'deal' && kind !== 'contact'
    ? []
    : COMPANY.filter(({ key }) => ['industry', 'country', 'city'].includes(key)).map(field => ({
        ...field,
        value: ctx =>
          sql`(select t.${sql.ref(field.key)} from ${living(ctx, 'companies')} t where t.id = r.company_id)`,
      }))

/** What records may be grouped by. Who has deals or people is a company, whatever it is called. */
const dimensionsOf = (kind: Kind, fields: readonly Field[]): Field[] => [
  ...fields
    .filter(field => field.groups)
    .map(field =>
      field.key === 'company_id'
        ? { ...field, said: new RegExp(`${field.said.source}|customers?|clients?|accounts?`) }
        : field.key.startsWith('cf.')
          ? { ...field, said: withLastWord(field) }
          : field,
    ),
  ...throughCompany(kind),
]

/** "by plan" where the field is called "Supply plan". */
function withLastWord({ said, label }: Field): RegExp {
  const words = wordsOf(label)
  return words.length < 2 || FIELD_WORDS.has(words.at(-1)!)
    ? said
    : new RegExp(`${said.source}|${words.at(-1)}s?`)
}
/** Words that alone are another field. */
const FIELD_WORDS = new Set(
  'name date number status type stage owner value amount source city country state day week month quarter year time'.split(
    ' ',
  ),
)

/** "who is Mia's biggest deal with" asks for neither of our colleagues. */
const isOfOne = (reading: Reading): boolean =>
  / (?:with|at|for|to) $/.test(reading.text) || reading.mentions.some(isColleague)

const ENDS = /(?<= )(?:the )?(most|highest|largest|biggest|fewest|least|lowest|smallest)(?= )/
const ENDS_OF_RATES = /(?<= )(?:the )?(best|worst|highest|lowest)(?= )/

/** False when it asks for each of several things at once. */
export function groupOf(reading: Reading, plan: Plan, fields: readonly Field[]): boolean {
  group(reading, plan, fields)
  const others = dimensionsOf(plan.entity, fields)
  const more = others.map(({ said }) => said.source).join('|')
  return (
    !plan.groupBy || !bounded(`¤ (?:and|then|by|per|then by|and by|and per) (?:${more})`).test(reading.text)
  )
}

function group(reading: Reading, plan: Plan, fields: readonly Field[]): void {
  const lead =
    '(?:(?:grouped |broken down |split |sorted )?by|per|for each|for every|in each|at each|across|each)(?: the| every| all| each| deal| sales| account| company| their| its)*'
  const dimensions = dimensionsOf(plan.entity, fields)
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
  if (groupByTime(reading, plan, fields, lead) || groupOfSome(reading, plan, dimensions)) return
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
  const most = (says(reading, 'win rate') ? ENDS_OF_RATES : ENDS).exec(reading.text)
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
    dimensions.find(
      field =>
        bounded(`(?:which|what|who|whose)(?: is the)? (?:${field.said.source})`).test(reading.text) ||
        new RegExp(
          `^ (?:(?:the|our) )?(?:${field.said.source}) (?:with|that has|which has|having|has) `,
        ).test(reading.text),
    ) ??
    (says(reading, /who (?:has|have|got|owns|closed|won|lost|made|did|is)/) && !isOfOne(reading)
      ? dimensions.find(field => PEOPLE.includes(field.key))
      : undefined)
  if (!asked) return
  take(reading, asked.said)
  take(reading, most[1]!)
  plan.groupBy = { label: asked.label, value: asked.value(reading.ctx) }
  plan.top = /fewest|least|lowest|smallest|worst/.test(most[1]!) ? -1 : 1
}
