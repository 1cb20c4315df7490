/** The phrases of the account's own fields, and for the caller's records, with what they mean. */
import type { Condition } from '../../records/query/spec.ts'
import type { AccountWords } from '../account/account-words.ts'
import { add } from '../lexicon/read.ts'
import { isEntity, type Lexicon, type Phrases } from '../lexicon/types.ts'
import type { About } from './meaning.ts'
import { tokensOf } from './tokens.ts'

export function accountPhrases(lexicon: Lexicon, { fields, me }: AccountWords): Phrases {
  const phrases: Phrases = new Map()
  for (const about of owned(me)) {
    add(phrases, lexicon.mine, { category: 'Adjective', meaning: about })
    add(phrases, lexicon.me, { category: 'Value', meaning: orNobodys(about) })
  }
  for (const { kind, key, label, type } of fields) {
    if (!isEntity(kind)) continue
    const name = tokensOf(label).join(' ')
    add(phrases, formsOf(name, type), { category: 'Field', meaning: { entity: kind, field: key, type } })
    const where: Condition = { field: key, op: 'eq', value: true }
    if (type === 'flag')
      add(phrases, statesOf(name), { category: 'State', meaning: { entity: kind, where, isState: true } })
  }
  return phrases
}

/** "Pallets per week" is also said "pallets a week" and "pallets"; "Machines installed" also "machines are installed". */
function formsOf(name: string, type: string): string[] {
  const all = name.split(' ')
  const last = all.at(-1) ?? ''
  // "by plan" for the field "Care plan", "NPS" for "NPS score"
  if (type === 'text') return all.length > 1 ? [name, `${name}s`, last, `${last}s`] : [name, `${name}s`]
  if (type === 'flag') return [name, `${name}s`]
  const [, things] = /^(?:number|count|amount) of (.+)$/.exec(name) ?? []
  if (things) return [name, things]
  if (all.length > 1 && GENERIC.has(last)) return [name, all.slice(0, -1).join(' ')]
  const [, head, unit] = /^(.+?) (?:per|a|each) (\S+)$/.exec(name) ?? []
  if (head && unit) return [name, head, `${head} a ${unit}`, `${head} each ${unit}`, `${head} every ${unit}`]
  const [, noun, participle] = /^(\S+s) (\S+ed)$/.exec(name) ?? []
  if (noun && participle)
    return [name, noun, ...['are', 'do we have', 'have we'].map(link => `${noun} ${link} ${participle}`)]
  return [name]
}

/** "ISO 27001 certified" is also said "ISO certified" and "certified"; "NDA signed" also "signed an NDA". */
function statesOf(name: string): string[] {
  const words = name.split(' ')
  const last = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const plain = before.filter(word => !/\d/.test(word)).join(' ')
  if (!/(?:ed|ted|able|ible|ant|ive|ree)$/.test(last)) return [name]
  const head = before.join(' ')
  const turned = head === '' ? [] : ['', 'a ', 'an ', 'the '].map(article => `${last} ${article}${head}`)
  return [...new Set([name, `${plain} ${last}`.trim(), last, ...turned])]
}

const GENERIC = new Set('size value count score rate rating level amount volume index quantity'.split(' '))

/** "did I call": who works alone often leaves empty who did it. */
function orNobodys({ where, ...about }: About): About {
  const field = 'field' in where ? where.field : ''
  return { ...about, where: { or: [where, { field, op: 'is_null', value: true }] } }
}

/** Who owns a record: deals and contacts have an owner, activities an assignee. */
const owned = (me: string): About[] => [
  { entity: 'deal', where: { field: 'owner_id', op: 'eq', value: me }, isState: true },
  { entity: 'contact', where: { field: 'owner_id', op: 'eq', value: me }, isState: true },
  { entity: 'activity', where: { field: 'assignee_id', op: 'eq', value: me }, isState: true },
]
