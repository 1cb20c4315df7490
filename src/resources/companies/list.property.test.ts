/** What holds for every list, tried on generated records: searching, and walking while others write. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Account, onAnyEngine } from '../../../test/support/service.ts'

const RUNS = { numRuns: 12 }

/** Letters with and without case and accents, digits, and what has a meaning in patterns. */
const LETTERS = ['a', 'A', 'b', 'e', 'é', 'É', 'o', 'ö', 'Ø', 'ß', 'æ', 'Ł', 'ж', 'Ж', 'σ', 'ς', '李', '🦄']
const SIGNS = ['%', '_', '\\', "'", '"', '.', ',', '-', '+', '(', ')', '/', '@', ' ', '1', '2', '5']
const someText = fc
  .array(fc.constantFrom(...LETTERS, ...SIGNS), { minLength: 1, maxLength: 12 })
  .map(parts => parts.join(''))
const somePhone = fc
  .array(fc.constantFrom(...'1234567890', '+', '(', ')', '-', ' ', '/', '.'), { minLength: 1, maxLength: 14 })
  .map(parts => parts.join(''))

const plainly = (value: string): string =>
  value
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('æ', 'ae')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll('ς', 'σ')
const digits = (value: string): string => value.replace(/[^0-9]/g, '')

interface Searched {
  texts: (string | null | undefined)[]
  phones: (string | null | undefined)[]
}

/** The search as a sentence: part of a field, or part of a number when it looks like one. */
function isFound({ texts, phones }: Searched, search: string): boolean {
  const wanted = search.trim()
  if (texts.some(text => text != null && plainly(text).includes(plainly(wanted)))) return true
  const isNumber = /^[0-9+().\-/\s]+$/.test(wanted) && digits(wanted).length >= 3
  return isNumber && phones.some(phone => phone != null && digits(phone).includes(digits(wanted)))
}

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 2 })

interface Kind {
  record: fc.Arbitrary<object>
  // biome-ignore lint/suspicious/noExplicitAny: a record as it was created
  searched: (record: any) => Searched
}

const kinds: Record<'companies' | 'contacts', Kind> = {
  companies: {
    record: fc.record({
      name: someText,
      domains: maybe(fc.oneof(someText, fc.array(someText, { maxLength: 3 }))),
      website: maybe(someText),
      phone: maybe(somePhone),
      industry: maybe(someText),
      city: maybe(someText),
      country: maybe(someText),
      description: maybe(someText),
      // not searched
      notes: maybe(someText),
    }),
    searched: r => ({
      texts: [
        r.name,
        ...[r.domains ?? []].flat(),
        r.website,
        r.phone,
        r.industry,
        r.city,
        r.country,
        r.description,
      ],
      phones: [r.phone],
    }),
  },
  contacts: {
    record: fc.record({
      first_name: someText.map(text => `x${text}`),
      last_name: maybe(someText),
      phone: maybe(somePhone),
      phones: maybe(fc.array(fc.record({ phone: somePhone }), { maxLength: 3 })),
      job_title: maybe(someText),
      department: maybe(someText),
      city: maybe(someText),
      country: maybe(someText),
      description: maybe(someText),
      notes: maybe(someText),
    }),
    searched: r => {
      const phones = [r.phone, ...(r.phones ?? []).map((entry: { phone: string }) => entry.phone)]
      const name = `${r.first_name} ${r.last_name ?? ''}`
      return { texts: [name, ...phones, r.job_title, r.department, r.city, r.country, r.description], phones }
    },
  },
}

onAnyEngine('lists, whatever is in them', account => {
  it.each(['companies', 'contacts'] as const)('search of %s equals a plain substring filter', async kind => {
    const { record, searched } = kinds[kind]
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { minLength: 1, maxLength: 6 }),
        fc.array(fc.oneof(someText, somePhone), { minLength: 1, maxLength: 4 }),
        fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { maxLength: 6 }),
        async (records, searches, cuts) => {
          const client = await account()
          const made = []
          for (const body of records) made.push(await client.create(`/api/${kind}`, body))
          for (const search of [...searches, ...parts(made.map(searched), cuts)]) {
            if (search.trim() === '') continue
            const { body } = await client.get(`/api/${kind}?${new URLSearchParams({ search })}`)
            const expected = made.filter(item => isFound(searched(item), search)).map(item => item.id)
            expect(body.items.map((item: { id: string }) => item.id).sort(), search).toEqual(expected.sort())
            expect(body.total).toBe(expected.length)
          }
        },
      ),
      RUNS,
    )
  })

  it('a walk by cursor yields each record once during concurrent writes', async () => {
    const write = fc.record({
      at: fc.nat(6),
      kind: fc.constantFrom('create', 'delete', 'update'),
      which: fc.nat(),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.option(fc.nat(3), { nil: null }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom('created_at', 'name', 'employee_count', 'id'),
        fc.constantFrom('asc', 'desc'),
        fc.array(write, { maxLength: 12 }),
        async (counts, page_size, sort_by, sort_order, writes) => {
          const client = await account()
          const ids: string[] = []
          for (const employee_count of counts) {
            const body = { name: `n${employee_count ?? ''}`, employee_count }
            ids.push((await client.create('/api/companies', body)).id)
          }
          const deleted = new Set<string>()
          const disturb = async (page: number) => {
            for (const { at, kind, which } of writes) {
              if (at !== page) continue
              const id = ids[which % ids.length]!
              if (kind === 'create') await client.create('/api/companies', { name: `n${which}` })
              if (kind === 'update') await client.put(`/api/companies/${id}`, { city: `c${which}` })
              if (kind === 'delete') {
                deleted.add(id)
                await client.delete(`/api/companies/${id}`)
              }
            }
          }
          const walked = await walk(client, { page_size, sort_by, sort_order }, disturb)
          expect(new Set(walked).size).toBe(walked.length)
          const missing = ids.filter(id => !deleted.has(id) && !walked.includes(id))
          expect(missing).toEqual([])
        },
      ),
      RUNS,
    )
  })

  it('a walk by pages yields each record once without concurrent writes', async () => {
    const client = await account()
    const ids: string[] = []
    for (let i = 0; i < 11; i++) ids.push((await client.create('/api/companies', { name: `n${i % 3}` })).id)
    for (const page_size of [1, 2, 3, 5, 11, 12]) {
      for (const sort_by of ['name', 'created_at', 'city']) {
        const found: string[] = []
        const pages = Math.ceil(ids.length / page_size)
        for (let page = 1; page <= pages; page++) {
          const { body } = await client.get(
            `/api/companies?page=${page}&page_size=${page_size}&sort_by=${sort_by}`,
          )
          expect([body.total, body.total_pages]).toEqual([ids.length, pages])
          found.push(...body.items.map((item: { id: string }) => item.id))
        }
        expect(found.sort()).toEqual([...ids].sort())
      }
    }
  })
})

/** Substrings of existing values, so that most searches have a match. */
function parts(all: Searched[], cuts: [number, number, number][]): string[] {
  const texts = all.flatMap(({ texts, phones }) => [...texts, ...phones]).filter(text => text != null)
  return cuts.map(([which, from, length]) => {
    const characters = [...texts[which % texts.length]!]
    const start = from % characters.length
    return characters.slice(start, start + 1 + (length % 5)).join('')
  })
}

async function walk(
  client: Account,
  params: Record<string, string | number>,
  meanwhile: (page: number) => Promise<void>,
): Promise<string[]> {
  const found: string[] = []
  for (let cursor: string | null = '', page = 0; cursor !== null; page++) {
    const query = new URLSearchParams({ ...params, cursor } as Record<string, string>)
    const [answer] = await Promise.all([client.get(`/api/companies?${query}`), meanwhile(page)])
    if (answer.status !== 200) throw new Error(answer.text)
    found.push(...answer.body.items.map((item: { id: string }) => item.id))
    cursor = answer.body.next_cursor
  }
  return found
}
