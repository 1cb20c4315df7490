/** Names and values in a question → conditions: "at Acme", "in Berlin", "not in Proposal", "my". */
import { sql } from 'kysely'
import { living, rows } from '../../../../kernel/statements.ts'
import { type Field, type Kind, TABLES, tiedTo } from '../fields/index.ts'
import type { Condition } from '../plan.ts'
import type { Mention } from './mentions.ts'
import { mine } from './mine.ts'
import { NOUNS } from './nouns.ts'
import { type Reading, says, take } from './reading.ts'
import { addValues } from './values.ts'
import type { Known } from './vocabulary.ts'

/** Returns how many records of the kind itself were named; undefined when a name fits nowhere. */
export function applyMentions(reading: Reading, entity: Kind, fields: readonly Field[]): number | undefined {
  const byField = new Map<string, { values: Known[]; negated: boolean }>()
  const byKind = new Map<Kind, { ids: string[]; names: string[]; negated: boolean }>()
  let own = 0
  for (const mention of reading.mentions) {
    const through =
      entity !== 'company' &&
      /(?:compan(?:y|ies)|organi[sz]ations?|firms?) (?:\S+ ){0,3}¤/.test(reading.text) &&
      mention.values.some(known => known.kind === 'company')
    const fits = through ? [] : mention.values.filter(known => known.kind === entity)
    const said = fits.find(known => fieldSaid(fields, known.field, mention))
    const value = said ?? fits[0]
    const record = mention.records
    if (value && !(record && ['at', 'with', 'for'].includes(mention.before))) {
      const all = fits.filter(known => known.field === value.field)
      const known = byField.get(value.field) ?? { values: [], negated: mention.negated }
      byField.set(value.field, { ...known, values: [...known.values, ...all] })
    } else if (record && mention.owning && record.kind === 'contact') {
      return undefined
    } else if (record) {
      const known = byKind.get(record.kind) ?? { ids: [], names: [], negated: mention.negated }
      byKind.set(record.kind, {
        ...known,
        ids: [...known.ids, ...record.ids],
        names: [...known.names, ...record.names],
      })
      if (record.kind === entity) own += record.ids.length
    } else {
      const where = throughOther(reading, entity, mention)
      if (!where) return undefined
      reading.conditions.push(where)
    }
    if (mention.negated) take(reading, NEGATIONS)
  }
  for (const [field, { values, negated }] of byField)
    addValues(reading, entity, fields, field, values, negated)
  for (const [kind, { ids, names, negated }] of byKind) {
    const where = tiedTo(reading.ctx, entity, kind, sql`${ids}::uuid[]`)
    if (!where) return undefined
    const unique = [...new Set(names)].join(', ')
    reading.conditions.push({
      where: negated ? sql`not (${where})` : where,
      said: negated ? `not ${unique}` : unique,
    })
  }
  mine(reading, entity)
  return own
}

/** "deals in the energy industry": the industry is their companies'. */
function throughOther(reading: Reading, entity: Kind, mention: Mention): Condition | undefined {
  // a deal is where its company is, not where the person sits
  const companiesFirst = [...mention.values].sort(
    (a, b) => Number(b.kind === 'company') - Number(a.kind === 'company'),
  )
  for (const known of companiesFirst) {
    const tagged =
      known.field === 'tag' &&
      known.kind === 'company' &&
      !/^(?:tagged|tag|as|labell?ed)$/.test(mention.before)
    if (tagged) {
      const ids = sql`array(select g.entity_id from ${rows(reading.ctx, 'taggings')} g
        join ${living(reading.ctx, 'tags')} t on t.id = g.tag_id
        where g.entity_type = 'company' and t.name = ${known.value})`
      const where = tiedTo(reading.ctx, entity, 'company', ids)
      if (!where) continue
      const said = `company tag ${known.value}`
      return mention.negated ? { where: sql`not (${where})`, said: `not ${said}` } : { where, said }
    }
    const field = reading.vocabulary.fields[known.kind].find(one => one.key === known.field)
    if (!field || field.key.startsWith('cf.') || field.key.endsWith('_id')) continue
    const noun = NOUNS.find(([kind]) => kind === known.kind)![1]
    // "high priority" is not that of a task when nobody speaks of tasks
    if ((known.kind === 'deal' || known.kind === 'activity') && !says(reading, noun)) continue
    const ids = sql`array(select s.id from ${living(reading.ctx, TABLES[known.kind].table)} s
      where s.${sql.ref(field.key)} = ${known.value})`
    const where = tiedTo(reading.ctx, entity, known.kind, ids)
    if (!where) continue
    take(reading, field.said)
    take(reading, noun)
    const said = `${TABLES[known.kind].one} ${field.label} ${known.value}`
    return mention.negated ? { where: sql`not (${where})`, said: `not ${said}` } : { where, said }
  }
  return undefined
}

const NEGATIONS =
  /not|neither|nor|except(?: for)?|excluding|outside|other than|besides|apart from|aside from|never|isn t|aren t|wasn t|weren t/

const fieldSaid = (fields: readonly Field[], key: string, mention: Mention): boolean => {
  const field = fields.find(one => one.key === key)
  return field !== undefined && new RegExp(`^(?:${field.said.source})$`).test(mention.before)
}
