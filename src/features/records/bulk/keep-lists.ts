/** How upserts add further domains, email addresses and phone numbers to those of the record that they match. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../../kernel/context.ts'
import type { Row } from '../../../kernel/statements.ts'
import { isRecord, zip } from '../../../lib/values.ts'
import type { Keep } from './keep.ts'

/** The domains in a list or a text. */
export const domainsIn = (value: unknown): string[] =>
  [value]
    .flat()
    .flatMap(entry => (typeof entry === 'string' ? entry.split(/[\s,;]+/) : []))
    .filter(domain => domain !== '')

/** As the function domain_name of the database. */
const domainName = (domain: string): string =>
  domain.toLowerCase().replace(/^([a-z][a-z0-9+.-]*:\/\/)?(www\.)?|[/?#:].*$/g, '')

export const keepDomains: Keep = {
  reads: ['domains'],
  hasMore: ({ domains }) => domainsIn(domains).length > 1,
  inputs: (_, matched) =>
    matched.map(({ input: { domains, ...others }, stored }) => {
      if (!stored) return others
      const own = domainsIn(stored.domains)
      const names = new Set(own.map(domainName))
      // A set that has the name already does not grow.
      const added = domainsIn(domains).filter(domain => names.size < names.add(domainName(domain)).size)
      return added.length > 0 ? { ...others, domains: [...own, ...added] } : others
    }),
}

/** For each record, the values among those that were sent that it does not have. */
type Unlike = (tx: Ctx, own: readonly string[][], sent: readonly string[][]) => Promise<string[][]>

const otherEmails: Unlike = async (_, own, sent) =>
  zip(own, sent).map(([mine, some]) => {
    const known = new Set(mine.map(email => email.toLowerCase()))
    return some.filter(email => known.size < known.add(email.toLowerCase()).size)
  })

/** The database compares phone numbers, in any notation. */
const otherPhones: Unlike = async (tx, own, sent) => {
  if (sent.every(some => some.length === 0)) return sent.map(() => [])
  const placed = (lists: readonly string[][]) => {
    const places = lists.flatMap((list, place) => list.map(() => place))
    return sql`unnest(${places}::int[], ${lists.flat()}::text[]) as`
  }
  const others = await query(
    tx,
    sql<{ place: number; phone: string }>`select s.place, s.phone from ${placed(sent)} s (place, phone)
      where not exists (select from ${placed(own)} o (place, phone)
        where o.place = s.place and (o.phone = s.phone or is_same_phone(o.phone, s.phone)))`,
  )
  return sent.map((_, i) => others.flatMap(({ place, phone }) => (place === i ? [phone] : [])))
}

/** For `email` with `emails` and `phone` with `phones`. The main entry remains the main entry. */
function keepReach(one: 'email' | 'phone', unlike: Unlike): Keep {
  const many = `${one}s`
  const entriesIn = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : [])
  const valuesOf = (entries: readonly Row[]) => entries.map(entry => String(entry[one]))
  return {
    reads: [one, many],
    hasMore: input => entriesIn(input[many]).length > 0,
    async inputs(tx, matched) {
      const own = matched.map(({ stored }) => {
        const list = entriesIn(stored?.[many])
        return list.length > 0 ? list : [{ [one]: stored?.[one], type: 'work', is_primary: true }]
      })
      const sent = matched.map(({ input }) => entriesIn(input[many]))
      const others = await unlike(tx, own.map(valuesOf), sent.map(valuesOf))
      return matched.map(({ input: { [one]: _one, [many]: _many, ...rest }, stored }, i) => {
        const byValue = new Map(sent[i]?.toReversed().map(entry => [entry[one], entry]))
        const added = [...new Set(others[i])].map(value => ({ ...byValue.get(value), is_primary: false }))
        return added.length > 0
          ? { ...rest, [one]: stored?.[one], [many]: [...(own[i] ?? []), ...added] }
          : rest
      })
    },
  }
}

export const keepEmails = keepReach('email', otherEmails)
export const keepPhones = keepReach('phone', otherPhones)
