/** One field of records, and the last contact with them. */
import type { Query } from '../../records/query/spec.ts'
import { type Answer, refusal } from '../prose/answer.ts'
import type { FieldMeaning } from '../understand/meaning.ts'
import { type Answering, grounded, label, listed, shown } from './format.ts'

const OWNERS = ['owner.name', 'assignee.name', 'author.name']
const MAX_NAMED = 20

export async function fieldAnswer(
  answering: Answering,
  query: Query,
  show: FieldMeaning,
  isEach: boolean,
): Promise<Answer> {
  const { result, citations } = await listed(answering, query, [show.field])
  const { items = [], cells = [] } = result
  const values = items.map((item, i) => shown(show.field, cells[i]?.[show.field], item))
  const name = label(answering, show.field)
  // the record is there and does not say: that is no answer. Nobody may own one that is named, though.
  const isNobodys = items.length > 0 && OWNERS.includes(show.field) && namesRecords(query)
  if (values.every(value => value === undefined) && !isNobodys) return { ...refusal('data'), citations }
  const missing = answering.say(isNobodys ? 'nobody' : 'not known')
  const texts = citations.slice(0, MAX_NAMED).map((citation, i) => {
    const value = values[i] === undefined ? missing : `${name} ${values[i]}`
    return isEach ? `${citation.name} (${value}) [${i + 1}]` : `${citation.name}: ${value} [${i + 1}]`
  })
  const [flag, ...others] = show.type === 'flag' ? cells.map(cell => String(cell[show.field])) : []
  const isOneFlag = (flag === 'true' || flag === 'false') && others.length === 0
  const yesOrNo = isOneFlag ? `${answering.say(flag === 'true' ? 'Yes' : 'No')}, ` : ''
  return grounded(`${yesOrNo}${texts.join('; ')}.`, citations, query, result)
}

/** Whether it is about the records of some names, and not of what is related to them. */
const namesRecords = ({ where }: Query): boolean =>
  where !== undefined &&
  ('and' in where ? where.and : [where]).some(part => 'field' in part && part.field === 'id')

/** The last call, meeting or email, and who was in it. */
export async function lastContact(answering: Answering, query: Query, asks: 'when' | 'who'): Promise<Answer> {
  const { result, citations } = await listed(answering, query, ['happened_at'])
  const [activity] = citations
  const [item] = result.items ?? []
  if (!activity || !item) return refusal('data')
  const people = await listed(answering, {
    entity: 'contact',
    where: { some: 'activities', where: { field: 'id', op: 'eq', value: activity.entity_id } },
  })
  const contacts = people.citations.map(citation => ({ ...citation, index: citation.index + 1 }))
  const names = contacts.map(({ name }) => name).join(', ') || answering.say('nobody in particular')
  const day = String(result.cells?.[0]?.happened_at ?? '').slice(0, 10)
  const { say } = answering
  const type = say(String(item.type))
  const text =
    asks === 'who'
      ? `${names}, ${say('on')} ${day} (${type}: ${activity.name}) [1].`
      : `${say('On')} ${day}, ${type} "${activity.name}" ${say('with')} ${names} [1].`
  return grounded(text, [activity, ...contacts], query, result)
}
