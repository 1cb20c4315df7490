/** Values that a record has by what it is tied to: "deals in the energy industry", "contacts at Dutch companies". */
import { type RawBuilder, sql } from 'kysely'
import { living, rows } from '../../../../kernel/statements.ts'
import { type Kind, TABLES, tiedTo } from '../fields/index.ts'
import type { Condition } from '../plan.ts'
import type { Mention } from './mentions.ts'
import { NOUNS } from './nouns.ts'
import { type Reading, says, take } from './reading.ts'
import type { Known } from './vocabulary.ts'

const nounOf = (kind: Kind): RegExp => NOUNS.find(([one]) => one === kind)![1]
const OWNED = /^(?:compan(?:y|ies)|acc(?:oun)?ts?|organi[sz]ations?|businesses|firms?)$/

/** "at Dutch companies", "companies in Berlin": what is said is said of the companies. */
export const isOfCompanies = (reading: Reading, entity: Kind, { values, after }: Mention): boolean =>
  entity !== 'company' &&
  values.some(known => known.kind === 'company') &&
  (OWNED.test(after) || /(?:compan(?:y|ies)|organi[sz]ations?|firms?) (?:\S+ ){0,3}¤/.test(reading.text))

/** What one of them may say of another kind; undefined when it says nothing that could be told. */
function knownOf(reading: Reading, entity: Kind, mention: Mention): Known | undefined {
  // a deal is where its company is, not where the person sits
  const companiesFirst = [...mention.values].sort(
    (a, b) => Number(b.kind === 'company') - Number(a.kind === 'company'),
  )
  return companiesFirst.find(({ kind, field: key }) => {
    if (kind === entity || !tiedTo(reading.ctx, entity, kind, sql`'{}'::uuid[]`)) return false
    if (key === 'tag')
      return (
        (kind === 'company' || kind === 'contact') && !/^(?:tagged|tag|as|labell?ed)$/.test(mention.before)
      )
    if (key.startsWith('cf.') || key.endsWith('_id')) return false
    if (!reading.vocabulary.fields[kind].some(field => field.key === key)) return false
    // "high priority" is not that of a task when nobody speaks of tasks
    return (kind !== 'deal' && kind !== 'activity') || says(reading, nounOf(kind))
  })
}

/** False when one of them fits nowhere. "In Germany or France": one of the two is enough. */
export function throughOthers(reading: Reading, entity: Kind, mentions: readonly Mention[]): boolean {
  const found = mentions.map(mention => ({ known: knownOf(reading, entity, mention), mention }))
  if (found.some(({ known }) => !known)) return false
  const groups = Map.groupBy(
    found,
    ({ known, mention: { negated } }) => `${known!.kind} ${known!.field} ${negated}`,
  )
  for (const group of groups.values()) {
    const { known, mention } = group[0]!
    const values = [...new Set(group.map(one => one.known!.value))]
    reading.conditions.push(conditionOf(reading, entity, known!, values, mention.negated))
  }
  return true
}

function conditionOf(
  reading: Reading,
  entity: Kind,
  { kind, field: key }: Known,
  values: string[],
  negated: boolean,
): Condition {
  const { ctx } = reading
  const field = reading.vocabulary.fields[kind].find(one => one.key === key)
  const ids: RawBuilder<unknown> =
    key === 'tag'
      ? sql`array(select g.entity_id from ${rows(ctx, 'taggings')} g join ${living(ctx, 'tags')} t on t.id = g.tag_id
          where g.entity_type = ${kind} and t.name = any(${values}::text[]))`
      : sql`array(select s.id from ${living(ctx, TABLES[kind].table)} s
          where s.${sql.ref(key)} = any(${values}::text[]))`
  const where = tiedTo(ctx, entity, kind, ids)!
  if (field) take(reading, field.said)
  take(reading, nounOf(kind))
  const said = `${TABLES[kind].one} ${field?.label ?? key} ${values.join(' or ')}`
  return negated ? { where: sql`not (${where})`, said: `not ${said}` } : { where, said }
}
