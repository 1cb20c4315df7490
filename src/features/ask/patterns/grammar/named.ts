/** Names and values in a question → conditions: "at Acme", "in Berlin", "not in Proposal", "my". */
import { sql } from 'kysely'
import { type Field, type Kind, tiedTo } from '../fields/index.ts'
import type { Mention } from './mentions.ts'
import { mine } from './mine.ts'
import { type Reading, take } from './reading.ts'
import { isOfCompanies, throughOthers } from './through.ts'
import { addValues } from './values.ts'
import type { Known } from './vocabulary.ts'

/** Returns how many records of the kind itself were named; undefined when a name fits nowhere. */
export function applyMentions(reading: Reading, entity: Kind, fields: readonly Field[]): number | undefined {
  const byField = new Map<string, { field: string; values: Known[]; negated: boolean }>()
  const byKind = new Map<Kind, { ids: string[]; names: string[]; negated: boolean }>()
  const others: Mention[] = []
  let own = 0
  for (const mention of reading.mentions) {
    const fits = isOfCompanies(reading, entity, mention)
      ? []
      : mention.values.filter(known => known.kind === entity)
    const said = fits.find(known => fieldSaid(fields, known.field, mention))
    const value = said ?? fits[0]
    const record = mention.records
    if (value && !(record && ['at', 'with', 'for'].includes(mention.before))) {
      const all = fits.filter(known => known.field === value.field)
      // of tags a record may have several: "tagged vip and reference"
      const key = value.field === 'tag' && mention.before === 'and' ? `tag ${mention.said}` : value.field
      const known = byField.get(key) ?? { field: value.field, values: [], negated: mention.negated }
      byField.set(key, { ...known, values: [...known.values, ...all] })
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
    } else others.push(mention)
    if (mention.negated) take(reading, NEGATIONS)
  }
  if (!throughOthers(reading, entity, others)) return undefined
  for (const { field, values, negated } of byField.values())
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

const NEGATIONS =
  /not(?: yet)?|without|minus|neither|nor|except(?: for)?|excluding|outside|other than|besides|apart from|aside from|never|isn t|aren t|wasn t|weren t/

const fieldSaid = (fields: readonly Field[], key: string, mention: Mention): boolean => {
  const field = fields.find(one => one.key === key)
  return field !== undefined && new RegExp(`^(?:${field.said.source})$`).test(mention.before)
}
