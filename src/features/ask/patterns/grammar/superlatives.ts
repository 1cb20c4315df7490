/** "the largest", "top 3", "the next", "the latest": an order, and how many of it. */
import { sql } from 'kysely'
import { countOf, type Field, isNumeric } from '../fields/index.ts'
import type { Plan } from '../plan.ts'
import { NOUNS, narrowed, narrowedName } from './nouns.ts'
import { bounded, type Reading, says, stageType, take, today } from './reading.ts'

export function superlative(reading: Reading, plan: Plan, fields: readonly Field[]): void {
  if (plan.groupBy || plan.order) return
  const count = countIn(reading)
  inOrder(reading, plan, fields, count)
  // so many of no order: it is not known which
  if (count !== undefined && !plan.order) reading.text = `${reading.text}${count} `
}

function inOrder(reading: Reading, plan: Plan, fields: readonly Field[], count: number | undefined): void {
  const { ctx } = reading
  const nth = count === undefined ? nthIn(reading) : 0
  const limit = count ?? (nth === 0 && says(reading, MANY) ? SOME : 1)
  const { text } = reading
  const by = (field: Field | undefined, descending: boolean): void => {
    if (!field) return
    plan.order = { by: field.value(ctx), label: field.label, type: field.type, descending, limit, skip: nth }
    plan.shown.push(field)
  }
  const of = (key: string) => fields.find(field => field.key === key)
  const related = NOUNS.find(
    ([kind, pattern]) =>
      kind !== plan.entity &&
      bounded(`(?:the )?(?:most|fewest|largest number of) (?:open |won |lost )?(?:${pattern.source})`).test(
        text,
      ),
  )
  const narrow =
    related && narrowed(related[0], /(?<= )(?:most|fewest|number of) ((?:\S+ ){1,3})/.exec(text)?.[1] ?? '')
  const counted = related && countOf(ctx, plan.entity, related[0], narrow)
  if (counted) {
    const fewest = take(reading, /(?:the )?fewest/) !== undefined
    take(reading, /(?:the )?(?:most|largest number of)/)
    take(reading, related[1])
    if (narrow && related[0] === 'deal') take(reading, narrow)
    const label = narrowedName(related[0], narrow)
    plan.order = { by: counted, label, type: 'number', descending: !fewest, limit, skip: nth }
    return
  }
  const numeric = fields.filter(isNumeric)
  const asked = numeric.find(field => says(reading, field.said))
  const size = asked ?? of('amount') ?? of('employee_count')
  // nobody can tell by what the best customers are the best
  if (plan.entity === 'company' && !asked && says(reading, /top|most valuable|best/)) return
  const moment = plan.entity === 'activity' ? of('when') : of('created_at')
  if (
    bounded(
      /(?:the )?(?:largest|biggest|highest|most valuable|most expensive|greatest|maximum|max|top|most (?:employees|revenue|people|staff))/,
    ).test(text) ||
    (asked && says(reading, `most (?:${asked.said.source})`))
  ) {
    take(
      reading,
      /(?:the )?(?:largest|biggest|highest|most valuable|most expensive|greatest|maximum|max|top|most)/,
    )
    if (size) take(reading, size.said)
    by(size, true)
  } else if (take(reading, SMALLEST)) {
    if (size) take(reading, size.said)
    by(size, false)
  } else if (plan.entity === 'activity' && says(reading, /longest|shortest/)) {
    by(of('duration_minutes'), take(reading, /(?:the )?longest/) !== undefined)
    take(reading, /(?:the )?shortest/)
  } else if (
    plan.entity === 'deal' &&
    take(
      reading,
      /(?:closing|closes|close|due) (?:the )?(?:soonest|next|first|earliest)|next (?:¤ )?(?:deals? )?to close|(?:the )?(?:soonest|earliest|nearest) (?:expected )?(?:to close|close(?: date)?|closing)|(?:the )?(?:closest|nearest) to (?:being )?clos(?:e|ed|ing)/,
    )
  ) {
    reading.conditions.push(
      { where: stageType(reading, 'open'), said: 'open' },
      { where: sql`r.expected_close_date >= ${today(reading)}::date`, said: 'to come' },
    )
    by(of('expected_close_date'), false)
  } else if (plan.entity === 'deal' && take(reading, CLOSING_LAST)) {
    reading.conditions.push({ where: stageType(reading, 'open'), said: 'open' })
    by(of('expected_close_date'), true)
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
    if (plan.entity !== 'activity') take(reading, /add(?:ed)?|creat(?:e|ed)/)
    // the last call is none that is still to come
    if (plan.entity === 'activity' && !says(reading, /planned|upcoming|scheduled|open|due/))
      reading.conditions.push({
        where: sql`${moment!.value(ctx)} <= ${reading.now.toISOString()}::timestamptz`,
        said: 'until now',
      })
  } else if (take(reading, /(?:the )?(?:oldest|earliest|first|longest)/))
    by(says(reading, /stuck|stage/) ? (of('stage_entered_at') ?? moment) : moment, false)
}

const SMALLEST =
  /(?:the )?(?:smallest|lowest|least valuable|least expensive|cheapest|minimum|min|bottom|fewest|least)/
/** Not those that were closed last. */
const CLOSING_LAST =
  /(?:to )?(?:clos(?:e|es|ing)|due) (?:on )?(?:the )?(?:latest|last|furthest out)(?: (?:close )?dates?)?|(?:the )?(?:latest|furthest|last) (?:expected )?(?:close date|closing date|to close)/
/** "the newest contacts" are some, "the newest contact" is one. */
const MANY = `(?:latest|newest|most recent(?:ly)?(?: (?:added|created))?|oldest|largest|biggest|highest|smallest|lowest|cheapest|most valuable|top|bottom) (?:(?:open|won|lost|closed|¤|added|created|completed) )*(?:${NOUNS.map(
  ([, pattern]) => pattern.source,
).join('|')})(?<=s)`
const SOME = 5
const NTH = ['second', 'third', 'fourth', 'fifth']
/** "the second largest": how many stand before it. */
function nthIn(reading: Reading): number {
  const said = take(
    reading,
    /(?:second|third|fourth|fifth|2nd|3rd|4th|5th)(?=[- ](?:largest|biggest|highest|most|smallest|lowest|latest|newest|oldest|best))/,
  )
  if (said === undefined) return 0
  return /\d/.test(said) ? Number(said[0]) - 1 : NTH.indexOf(said) + 1
}
const NUMBER_WORDS = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const NUMBER = `(?:\\d{1,3}|${NUMBER_WORDS.join('|')})`
const ENDS =
  '(?:largest|biggest|highest|greatest|latest|newest|most|oldest|earliest|smallest|lowest|cheapest|fewest|least|longest|shortest|top|bottom)'

/** "top 3", "the five oldest": how many; what they are the first of stays in the text. */
function countIn(reading: Reading): number | undefined {
  const said =
    take(
      reading,
      `(?<= (?:top|bottom|first|last|next|${ENDS}) )${NUMBER}(?! (?:days?|weeks?|months?|quarters?|years?))`,
    ) ?? take(reading, `${NUMBER}(?= (?:${ENDS}|next|last) (?!(?:days?|weeks?|months?|quarters?|years?) ))`)
  return said === undefined ? undefined : Number(said) || NUMBER_WORDS.indexOf(said) + 2
}
