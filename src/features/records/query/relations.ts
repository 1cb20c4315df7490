/** The kinds of records and the relations between them in words, for descriptions of the query language. */
import { type Kind, type Kinds, kinds, type Relation } from './kinds.ts'

/** What the name of a relation or of a field does not say. A test compares these with the kinds. */
const MEANINGS: Readonly<Record<string, string>> = {
  'company.activities': 'with those of its contacts and deals',
  'company.companies': 'those directly below it',
  'deal.products': 'of its line items',
  'activity.companies': 'with those of its contacts and deals',
  'member.companies': 'that they own',
  'member.contacts': 'that they own',
  'member.deals': 'that they own',
  'member.activities': 'that are assigned to them',
  'contact.birthday_day': 'MM-DD',
  'activity.when': 'when it happened, begins or is due',
}

export const explained: readonly string[] = Object.keys(MEANINGS)

const plural = (entity: string): string => `${entity.replace(/y$/, 'ie')}s`

const withMeaning = (entity: string, name: string, meaning = MEANINGS[`${entity}.${name}`]): string =>
  meaning === undefined ? name : `${name} (${meaning})`

/** `deals`, `owner (member)`, `products (of its line items)` */
function relationText(entity: string, name: string, relation: Relation): string {
  const target = relation.to()?.entity ?? ''
  const isObvious = [target, plural(target)].includes(name.replaceAll('-', '_'))
  return withMeaning(entity, name, MEANINGS[`${entity}.${name}`] ?? (isObvious ? undefined : target))
}

/** Fields that the records of the API do not have. */
const furtherFields = ({ fields, record }: Kind): string[] =>
  record ? fields.filter(name => name !== 'cf.<key>' && !Object.hasOwn(record.output.fields, name)) : []

export function relationsText(all: Kinds): string {
  const related = [...all.values()].filter(({ relations }) => relations.size > 0)
  const alone = [...all.values()].filter(({ relations }) => relations.size === 0)
  const lines = related.map(({ entity, relations }) => {
    const names = [...relations].map(([name, relation]) => relationText(entity, name, relation))
    return `${entity}: ${names.join(', ')}`
  })
  const further = related.flatMap(kind => {
    const names = furtherFields(kind).map(name => withMeaning(kind.entity, name))
    return names.length === 0 ? [] : [`${kind.entity}: ${names.join(', ')}`]
  })
  return [
    `The relations of each kind of record are: ${lines.join('; ')}.`,
    `${alone.map(({ entity }) => entity).join(', ')} have none.`,
    `Queries know these fields, too: ${further.join('; ')}.`,
  ].join(' ')
}

/** For the API documentation, the assistant and MCP. */
export const RELATIONS = relationsText(kinds())

export const ENTITIES: readonly string[] = [...kinds().keys()]
