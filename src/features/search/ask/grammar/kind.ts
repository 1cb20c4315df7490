/** Which kind of record a question is about. */
import type { Kind } from '../fields/index.ts'
import type { Mention } from './mentions.ts'
import { NOUNS } from './nouns.ts'
import { bounded, type Reading, says } from './reading.ts'

/** The kind of record that is asked for: the first that is named, or the one that what is named belongs to. */
export function kindOf(reading: Reading): Kind | undefined {
  const first = NOUNS.map(([kind, pattern]) => ({
    kind,
    at: bounded(pattern).exec(reading.text)?.index ?? Infinity,
  })).sort((a, b) => a.at - b.at)[0]!
  const dimension =
    /(?<= )(?:which|what|who) (stages?|owners?|industr(?:y|ies)|cit(?:y|ies)|countr(?:y|ies)|reps?|compan(?:y|ies)|pipeline) (?:has|have|holds?|contains?|owns?)(?= )/.exec(
      reading.text,
    )
  if (dimension && !/compan/.test(dimension[1]!)) {
    const later = NOUNS.map(([kind, pattern]) => ({
      kind,
      at:
        bounded(pattern).exec(reading.text.slice(dimension.index + dimension[0].length - 1))?.index ??
        Infinity,
    })).sort((a, b) => a.at - b.at)[0]!
    if (later.at !== Infinity) return later.kind
  }
  if (first.at !== Infinity) return first.kind
  const record = reading.mentions.find(mention => mention.records)?.records
  const fieldOf = (kind: Kind) => reading.vocabulary.fields[kind].some(field => says(reading, field.said))
  if (says(reading, /overdue|past due/)) return 'activity'
  if (says(reading, /win rate|close rate|conversion rate|won|lost|win|wins|pipelines?|stages?/)) return 'deal'
  if (says(reading, /due|to do|agenda|schedule[d]?|upcoming/) && !record) return 'activity'
  const valued = commonKinds(reading.mentions)
  if (says(reading, /who|whom|whose|anyone|anybody|everyone|everybody/)) {
    if (
      record &&
      record.kind !== 'contact' &&
      says(
        reading,
        /owns?|owner|responsible|looks? after|in charge|takes? care|manages?|handles?|handling|assigned|assignee/,
      )
    )
      return record.kind
    // customers may be companies alone
    if (record?.kind !== 'contact')
      return record || valued.length === 0 || valued.includes('contact') ? 'contact' : valued[0]
  }
  if (record && (fieldOf(record.kind) || says(reading, /where|based|located/))) return record.kind
  return valued[0]
}

/** The kinds that have all the values that were named, the likeliest first. */
function commonKinds(mentions: readonly Mention[]): Kind[] {
  const named = mentions.filter(mention => mention.values.length > 0)
  if (named.length === 0) return []
  return (['contact', 'company', 'deal', 'activity'] as Kind[]).filter(kind =>
    named.every(mention => mention.values.some(known => known.kind === kind)),
  )
}
