/** Values of custom fields on records: each type with what it takes and what it refuses, and the rules around them. */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, anotherMember, onAnyEngine } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

const declare = (on: Account, field: object) =>
  on.create('/api/custom-fields', { entity_type: 'company', ...field })
const company = (on: Account, metadata: object) => on.post('/api/companies', { name: 'Acme', metadata })

const UNKNOWN = '0197f9c5-0000-7000-8000-000000000000'

/** A type (with more of its definition), values that are taken (as what), and values that are refused (why). */
interface Type {
  type: string
  more?: object
  good: [given: unknown, kept?: unknown][]
  bad: [given: unknown, type: string, msg?: string][]
}

const TYPES: Type[] = [
  {
    type: 'text',
    good: [['plain'], [''], ['x'.repeat(1000)], ['😀'.repeat(1000)], ['with\nlines']],
    bad: [
      [5, 'string_type', 'Input should be a valid string'],
      [['a'], 'string_type'],
      ['x'.repeat(1001), 'string_too_long', 'String should have at most 1000 characters'],
      ['a\0b', 'value_error'],
    ],
  },
  {
    type: 'text',
    more: { validation: { min_length: 2, max_length: 4, pattern: '^[A-Z]+$' } },
    good: [['AB'], ['ABCD']],
    bad: [
      ['A', 'string_too_short', 'String should have at least 2 characters'],
      ['ABCDE', 'string_too_long', 'String should have at most 4 characters'],
      ['abc', 'string_pattern_mismatch', "String should match pattern '^[A-Z]+$'"],
    ],
  },
  {
    type: 'long_text',
    good: [['x'.repeat(50_000)]],
    bad: [
      ['x'.repeat(50_001), 'string_too_long'],
      [true, 'string_type'],
    ],
  },
  {
    type: 'number',
    good: [[0], [-1.5], [1e20], ['12.5', 12.5], [' 7 ', 7]],
    bad: [
      ['many', 'float_parsing', 'Input should be a valid number, unable to parse string as a number'],
      [{}, 'float_type', 'Input should be a valid number'],
      ['Infinity', 'finite_number'],
    ],
  },
  {
    type: 'currency',
    more: { validation: { min: 0, max: 100 } },
    good: [[0], [99.99], ['100', 100]],
    bad: [
      [-0.01, 'greater_than_equal', 'Input should be greater than or equal to 0'],
      [100.5, 'less_than_equal', 'Input should be less than or equal to 100'],
      ['$5', 'float_parsing'],
    ],
  },
  {
    type: 'boolean',
    good: [[true], [false], ['yes', true], [0, false]],
    bad: [
      ['perhaps', 'bool_parsing', 'Input should be a valid boolean, unable to interpret input'],
      [[], 'bool_type', 'Input should be a valid boolean'],
    ],
  },
  {
    type: 'date',
    good: [['2026-02-28'], ['2024-02-29']],
    bad: [
      ['2026-02-29', 'date_from_datetime_parsing'],
      ['tomorrow', 'date_from_datetime_parsing'],
      [{}, 'date_type', 'Input should be a valid date'],
    ],
  },
  {
    type: 'date',
    more: { validation: { min: '2026-01-01', max: '2026-12-31' } },
    good: [['2026-01-01'], ['2026-12-31']],
    bad: [
      ['2025-12-31', 'greater_than_equal', 'Input should be greater than or equal to 2026-01-01'],
      ['2027-01-01', 'less_than_equal', 'Input should be less than or equal to 2026-12-31'],
    ],
  },
  {
    type: 'datetime',
    good: [
      ['2026-01-05T10:00:00+02:00', '2026-01-05T08:00:00.000Z'],
      ['2026-01-05', '2026-01-05T00:00:00.000Z'],
      [0, '1970-01-01T00:00:00.000Z'],
    ],
    bad: [
      ['soon', 'datetime_from_date_parsing'],
      [true, 'datetime_type'],
    ],
  },
  {
    type: 'select',
    more: { options: [{ value: 'gold' }, { value: 'silver' }, { value: 'tin', is_archived: true }] },
    good: [['gold'], ['silver']],
    bad: [
      ['tin', 'enum', "Input should be 'gold' or 'silver'"],
      ['Gold', 'enum'],
      [['gold'], 'enum'],
      [5, 'enum'],
    ],
  },
  {
    type: 'select',
    good: [],
    bad: [['any', 'value_error', 'Value error, this field has no options to choose from']],
  },
  {
    type: 'multi_select',
    more: { options: [{ value: 'a' }, { value: 'b' }, { value: 'c' }], validation: { max_length: 2 } },
    good: [[[]], [['a']], [['b', 'a']], [['a', 'a'], ['a']]],
    bad: [
      ['a', 'list_type', 'Input should be a valid list'],
      [['a', 'z'], 'enum', "Input should be 'a', 'b' or 'c'"],
      [['a', 'b', 'c'], 'too_long', 'List should have at most 2 items after validation, not 3'],
    ],
  },
  {
    type: 'url',
    good: [['https://acme.com/a?b=c#d'], ['http://localhost:8080'], ['https://münchen.de']],
    bad: [
      ['acme.com', 'url_parsing', 'Input should be a valid URL, relative URL without a base'],
      ['https://', 'url_parsing', 'Input should be a valid URL, invalid format'],
      ['https://a b.com', 'url_parsing'],
      ['javascript:alert(1)', 'url_scheme', "URL scheme should be 'http' or 'https'"],
      ['ftp://acme.com', 'url_scheme'],
      [`https://acme.com/${'x'.repeat(2048)}`, 'string_too_long'],
    ],
  },
  {
    type: 'email',
    good: [['ada@Example.COM', 'ada@example.com']],
    bad: [
      ['ada', 'value_error'],
      [5, 'string_type'],
    ],
  },
  {
    type: 'phone',
    good: [['+49 (30) 1234-567'], ['555/1234'], ['555 1234 ext 12'], ['112']],
    bad: [
      ['call me', 'value_error', 'Value error, this is not a phone number'],
      ['+', 'value_error'],
      ['5'.repeat(65), 'string_too_long'],
    ],
  },
  {
    type: 'user',
    good: [],
    bad: [
      [UNKNOWN, 'reference_not_found', 'User not found'],
      ['me', 'uuid_parsing'],
      [7, 'uuid_type'],
    ],
  },
  {
    type: 'reference',
    good: [],
    bad: [
      [UNKNOWN, 'reference_not_found', 'Record not found'],
      ['it', 'uuid_parsing'],
    ],
  },
  {
    type: 'reference',
    more: { validation: { entity_type: 'contact' } },
    good: [],
    bad: [[UNKNOWN, 'reference_not_found', 'Contact not found']],
  },
  {
    type: 'rating',
    good: [[1], [5], ['3', 3], [2.0, 2]],
    bad: [
      [0, 'greater_than_equal', 'Input should be greater than or equal to 1'],
      [6, 'less_than_equal', 'Input should be less than or equal to 5'],
      [2.5, 'int_from_float'],
    ],
  },
  {
    type: 'rating',
    more: { validation: { min: 0, max: 10 } },
    good: [[0], [10]],
    bad: [[11, 'less_than_equal', 'Input should be less than or equal to 10']],
  },
  { type: 'json', good: [[{ a: [1, { b: null }] }], [[1, 2]], ['text'], [5], [false]], bad: [] },
]

const keyed = TYPES.map((entry, i) => ({ ...entry, key: `${entry.type}_${i}` }))
const label = (value: unknown) => JSON.stringify(value).slice(0, 40)

onAnyEngine('values of custom fields', account => {
  describe('of each type', () => {
    let on: Account
    beforeAll(async () => {
      on = await account()
      for (const { type, key, more } of keyed)
        await declare(on, { key, name: key, field_type: type, ...more })
    })

    const good = keyed.flatMap(({ key, good }) =>
      good.map(([given, kept = given]) => [key, given, kept] as const),
    )
    it.each(good.map(row => [row[0], label(row[1]), row] as const))(
      '%s takes %s',
      async (_, __, [key, given, kept]) => {
        const made = await company(on, { [key]: given, free: 1 })
        expect([made.status, made.body.metadata]).toEqual([201, { [key]: kept, free: 1 }])
        expect(made.body.custom_fields).toEqual(made.body.metadata)
        const put = await on.put(`/api/custom-fields/values/company/${made.body.id}`, { [key]: given })
        expect([put.status, put.body[key]]).toEqual([200, kept])
      },
    )

    const bad = keyed.flatMap(({ key, bad }) =>
      bad.map(([given, type, msg]) => [key, given, type, msg] as const),
    )
    it.each(bad.map(row => [row[0], label(row[1]), row] as const))(
      '%s refuses %s',
      async (_, __, [key, given, type, msg]) => {
        const issue = (loc: unknown[]) =>
          expect.objectContaining({ type, loc: expect.arrayContaining(loc), ...(msg ? { msg } : {}) })
        const created = await company(on, { [key]: given, free: 1 })
        expect([created.status, created.body.detail]).toEqual([422, [issue(['body', 'metadata', key])]])
        const made = (await company(on, { free: 1 })).body
        const updated = await on.put(`/api/companies/${made.id}`, { metadata: { [key]: given } })
        expect([updated.status, updated.body.detail]).toEqual([422, [issue(['body', 'metadata', key])]])
        const put = await on.put(`/api/custom-fields/values/company/${made.id}`, { [key]: given })
        expect([put.status, put.body.detail]).toEqual([422, [issue(['body', key])]])
        expect((await on.get(`/api/companies/${made.id}`)).body.metadata).toEqual({ free: 1 })
      },
    )

    it('accepts members and records of the account for users and references', async () => {
      const stranger = await account()
      const person = await on.create('/api/contacts', { first_name: 'Ada' })
      const other = await on.create('/api/companies', { name: 'Other' })
      const keyOf = (type: string, n = 0) => keyed.filter(entry => entry.type === type)[n]!.key
      const [user, any, contact] = [keyOf('user'), keyOf('reference'), keyOf('reference', 1)]
      for (const [key, value, status] of [
        [user, on.userId, 201],
        [user, on.userId.toUpperCase(), 201],
        [user, stranger.userId, 422],
        [any, person.id, 201],
        [any, other.id, 201],
        [contact, person.id, 201],
        [contact, other.id, 422],
      ] as const) {
        const made = await company(on, { [key]: value })
        expect([key, made.status]).toEqual([key, status])
        if (status === 201) expect(made.body.metadata[key]).toBe(value.toLowerCase())
      }
      const kept = await company(on, { [contact]: person.id })
      await on.delete(`/api/contacts/${person.id}`)
      expect((await company(on, { [contact]: person.id })).status).toBe(422)
      // what the record holds already is not refused
      const same = await on.put(`/api/companies/${kept.body.id}`, { metadata: kept.body.metadata })
      expect([same.status, same.body.metadata]).toEqual([200, { [contact]: person.id }])
    })

    it('reports all problems at once', async () => {
      const answer = await company(on, { number_3: 'x', boolean_5: 'x', free: 'x', rating_18: 9 })
      expect(answer.body.detail.map((issue: { loc: string[] }) => issue.loc[2])).toEqual([
        'number_3',
        'boolean_5',
        'rating_18',
      ])
    })
  })

  it('are declared separately for each kind of record', async () => {
    const on = await account()
    const bodies = {
      company: ['companies', { name: 'x' }],
      contact: ['contacts', { first_name: 'x' }],
      deal: ['deals', { name: 'x' }],
      activity: ['activities', { type: 'call', subject: 'x' }],
    } as const
    for (const entity_type of Object.keys(bodies)) {
      await on.create('/api/custom-fields', { entity_type, key: 'size', name: 'Size', field_type: 'number' })
      await on.create('/api/custom-fields', {
        entity_type,
        key: `only_${entity_type}`,
        name: 'Only',
        field_type: 'number',
      })
    }
    for (const [entity_type, [group, body]] of Object.entries(bodies)) {
      const post = (metadata: object) => on.post(`/api/${group}`, { ...body, metadata })
      expect((await post({ size: 'x' })).body.detail[0].loc).toEqual(['body', 'metadata', 'size'])
      expect((await post({ [`only_${entity_type}`]: 'x' })).status).toBe(422)
      const made = await post({ size: '5', only_other: 'x' })
      expect([made.status, made.body.metadata]).toEqual([201, { size: 5, only_other: 'x' }])
      const updated = await on.put(`/api/${group}/${made.body.id}`, { metadata: { size: [] } })
      expect(updated.body.detail[0]).toMatchObject({ type: 'float_type', loc: ['body', 'metadata', 'size'] })
      expect((await on.get(`/api/${group}?cf.size=5`)).body.total).toBe(1)
    }
  })

  it('are required on new and updated records if the field is required', async () => {
    const on = await account()
    const old = (await company(on, {})).body
    const filled = (await company(on, { tier: 'a' })).body
    await declare(on, { key: 'tier', name: 'Tier', field_type: 'text', is_required: true })
    const missing = {
      type: 'missing',
      loc: ['body', 'metadata', 'tier'],
      msg: 'Field required',
      input: { other: 1 },
    }
    expect((await company(on, { other: 1 })).body.detail).toEqual([missing])
    expect((await on.post('/api/companies', { name: 'x' })).body.detail).toEqual([{ ...missing, input: {} }])
    expect((await company(on, { tier: null })).body.detail[0]).toMatchObject({ type: 'string_type' })
    expect((await company(on, { tier: '' })).status).toBe(201)
    for (const [id, body, status] of [
      [old.id, { name: 'New' }, 200],
      [old.id, { metadata: { other: 1 } }, 200],
      [old.id, { metadata: { tier: null } }, 422],
      [filled.id, { metadata: { other: 1 } }, 422],
      [filled.id, { metadata: { tier: null } }, 422],
      [filled.id, { metadata: { tier: 'b' } }, 200],
      [filled.id, { name: 'New' }, 200],
    ] as const) {
      expect([body, (await on.put(`/api/companies/${id}`, body)).status]).toEqual([body, status])
    }
    const values = `/api/custom-fields/values/company/${filled.id}`
    expect((await on.put(values, { tier: null })).status).toBe(422)
    expect((await on.put(values, {})).body).toEqual({ tier: 'b' })
  })

  it('have defaults on new records only', async () => {
    const on = await account()
    const old = (await company(on, {})).body
    await declare(on, {
      key: 'tier',
      name: 'Tier',
      field_type: 'text',
      default_value: 'basic',
      is_required: true,
    })
    await declare(on, { key: 'on', name: 'On', field_type: 'boolean', default_value: false })
    expect((await on.post('/api/companies', { name: 'x' })).body.metadata).toEqual({
      tier: 'basic',
      on: false,
    })
    expect((await company(on, { tier: 'own', on: null })).body.metadata).toEqual({ tier: 'own', on: null })
    expect((await on.put(`/api/companies/${old.id}`, { metadata: { a: 1 } })).body.metadata).toEqual({ a: 1 })
  })

  it('are unique outside the trash', async () => {
    const on = await account()
    const stranger = await account()
    const field = { key: 'number', name: 'Customer number', field_type: 'text', is_unique: true }
    await declare(on, field)
    await declare(stranger, field)
    const first = (await company(on, { number: 'A1' })).body
    const clash = await company(on, { number: 'A1' })
    expect([clash.status, clash.body.detail]).toEqual([
      409,
      `The company ${first.id} already has this value of the field "Customer number", which is unique`,
    ])
    expect((await company(stranger, { number: 'A1' })).status).toBe(201)
    expect((await company(on, { number: 'a1' })).status).toBe(201)
    expect((await company(on, {})).status).toBe(201)
    expect((await company(on, {})).status).toBe(201)
    const second = (await company(on, { number: 'A2' })).body
    expect((await on.put(`/api/companies/${second.id}`, { metadata: { number: 'A1' } })).status).toBe(409)
    expect((await on.put(`/api/companies/${second.id}`, { metadata: { number: 'A2', x: 1 } })).status).toBe(
      200,
    )
    expect((await on.put(`/api/custom-fields/values/company/${second.id}`, { number: 'A1' })).status).toBe(
      409,
    )

    await on.delete(`/api/companies/${first.id}`)
    expect((await on.put(`/api/companies/${second.id}`, { metadata: { number: 'A1' } })).status).toBe(200)
    const back = await on.post(`/api/companies/${first.id}/restore`)
    expect([back.status, back.body.detail]).toEqual([
      409,
      `The company ${second.id} already has this value of the field "Customer number", which is unique`,
    ])
    await on.put(`/api/companies/${second.id}`, { metadata: { number: 'A3' } })
    expect((await on.post(`/api/companies/${first.id}/restore`)).status).toBe(200)
    expect((await company(on, { number: 'A1' })).status).toBe(409)
  })

  it('are unique when two requests write at once', async () => {
    const on = await account()
    await declare(on, { key: 'n', name: 'N', field_type: 'number', is_unique: true })
    const answers = await Promise.all(Array.from({ length: 8 }, () => company(on, { n: 7 })))
    expect(answers.map(answer => answer.status).sort()).toEqual([201, ...Array(7).fill(409)])
    expect((await on.get('/api/companies?cf.n=7')).body.total).toBe(1)
  })

  it.each([
    ['email', 'ada@acme.com', 'Ada@acme.com', 'bob@acme.com'],
    ['number', 5, '5.0', 6],
    ['datetime', '2026-01-01T00:00:00Z', '2026-01-01T01:00:00+01:00', '2026-01-01T00:00:01Z'],
    ['date', '2026-01-01', '2026-01-01T00:00:00', '2026-01-02'],
    [
      'url',
      `https://acme.com/${'x'.repeat(2000)}`,
      `https://acme.com/${'x'.repeat(2000)}`,
      `https://acme.com/${'x'.repeat(1999)}y`,
    ],
    ['long_text', 'x'.repeat(40_000), 'x'.repeat(40_000), `${'x'.repeat(39_999)}y`],
  ])('that are unique are compared by their type %s', async (field_type, first, same, other) => {
    const on = await account()
    await declare(on, { key: 'u', name: 'U', field_type, is_unique: true })
    expect((await company(on, { u: first })).status).toBe(201)
    expect((await company(on, { u: same })).status).toBe(409)
    expect((await company(on, { u: other })).status).toBe(201)
  })

  it('older than the field need not fit it', async () => {
    const on = await account()
    const wild = (await company(on, { n: 'many', when: 'soon', pick: 5, free: 1 })).body
    const fine = (await company(on, { n: '12', when: '2026-01-05T10:00:00+02:00' })).body
    await declare(on, { key: 'n', name: 'N', field_type: 'number' })
    await declare(on, { key: 'when', name: 'When', field_type: 'datetime' })
    await declare(on, { key: 'pick', name: 'Pick', field_type: 'select', options: [{ value: 'a' }] })
    const resent = await on.put(`/api/companies/${wild.id}`, { metadata: { ...wild.metadata, free: 2 } })
    expect([resent.status, resent.body.metadata]).toEqual([
      200,
      { n: 'many', when: 'soon', pick: 5, free: 2 },
    ])
    expect((await on.put(`/api/companies/${wild.id}`, { metadata: { n: 'more' } })).status).toBe(422)
    const ids = async (query: string) =>
      (await on.get(`/api/companies?${query}`)).body.items.map((item: { id: string }) => item.id)
    expect(await ids('cf.n=12')).toEqual([fine.id])
    expect(await ids('cf.when__lte=2026-01-05T08:00:00Z')).toEqual([fine.id])
  })

  it('remain after a stricter definition, an archived option and an archived field', async () => {
    const on = await account()
    const options = [{ value: 'gold' }, { value: 'tin' }]
    const pick = await declare(on, { key: 'pick', name: 'Pick', field_type: 'select', options })
    const size = await declare(on, { key: 'size', name: 'Size', field_type: 'number' })
    const made = (await company(on, { pick: 'tin', size: 500 })).body
    await on.put(`/api/custom-fields/${pick.id}`, {
      options: [{ value: 'gold' }, { value: 'tin', is_archived: true }],
    })
    await on.put(`/api/custom-fields/${size.id}`, { validation: { max: 100 } })
    expect((await on.get(`/api/companies/${made.id}`)).body.metadata).toEqual({ pick: 'tin', size: 500 })
    expect(
      (await on.put(`/api/companies/${made.id}`, { metadata: { pick: 'tin', size: 500, x: 1 } })).status,
    ).toBe(200)
    expect((await on.put(`/api/companies/${made.id}`, { metadata: { pick: 'tin', size: 501 } })).status).toBe(
      422,
    )
    expect((await company(on, { pick: 'tin' })).body.detail[0]).toMatchObject({ type: 'enum' })
    expect((await on.get('/api/companies?cf.pick=tin')).body.total).toBe(1)
    await on.put(`/api/custom-fields/${pick.id}`, { is_archived: true, is_required: true })
    expect((await company(on, {})).status).toBe(201)
    expect((await on.get(`/api/companies/${made.id}`)).body.metadata.pick).toBe('tin')
    expect((await on.get(`/api/custom-fields/values/company/${made.id}`)).body).toEqual({ size: 500 })
    await on.delete(`/api/custom-fields/${size.id}`)
    expect((await company(on, { size: 'free again' })).status).toBe(201)
    await on.post(`/api/custom-fields/${size.id}/restore`)
    expect((await on.get('/api/companies?cf.size__gte=400')).body.total).toBe(1)
    expect((await company(on, { size: 'x' })).status).toBe(422)
  })

  it('can be read and written without the record', async () => {
    const on = await account()
    const stranger = await account()
    await declare(on, { key: 'b', name: 'B', field_type: 'number', position: 2 })
    await declare(on, { key: 'a', name: 'A', field_type: 'text', position: 1 })
    const made = (await company(on, { free: 1, b: 2 })).body
    const path = `/api/custom-fields/values/company/${made.id}`
    expect((await on.get(path)).text).toBe('{"a":null,"b":2}')
    expect((await on.put(path, { a: 'x' })).body).toEqual({ a: 'x', b: 2 })
    expect((await on.put(path, { b: null })).body).toEqual({ a: 'x', b: null })
    expect((await on.get(`/api/companies/${made.id}`)).body.metadata).toEqual({ free: 1, a: 'x' })
    const unknown = await on.put(path, { z: 1, constructor: 2 })
    expect(unknown.body.detail).toMatchObject([
      { type: 'value_error', loc: ['body', 'z'] },
      { type: 'value_error', loc: ['body', 'constructor'] },
    ])
    for (const [who, where, status] of [
      [on, `/api/custom-fields/values/company/${newId()}`, 404],
      [on, `/api/custom-fields/values/contact/${made.id}`, 404],
      [on, `/api/custom-fields/values/note/${made.id}`, 422],
      [on, '/api/custom-fields/values/company/x', 422],
      [stranger, path, 404],
    ] as const) {
      expect([where, (await who.get(where)).status]).toEqual([where, status])
      expect([where, (await who.put(where, {})).status]).toEqual([where, status])
    }
    const limited = await anotherMember(on, { scopes: ['custom-fields:*', 'companies:read'] })
    expect((await limited.get(path)).status).toBe(200)
    expect((await limited.put(path, {})).body.detail).toBe('This API key lacks the scope companies:write')
  })

  it('are also checked on bulk updates and upserts', async () => {
    const on = await account()
    await declare(on, { key: 'n', name: 'N', field_type: 'number' })
    const made = (await company(on, {})).body
    const bulk = (n: unknown) =>
      on.post('/api/companies/bulk-update', { ids: [made.id], set: { metadata: { n } } })
    expect((await bulk('x')).body.detail[0]).toMatchObject({ loc: ['body', 'set', 'metadata', 'n'] })
    expect((await bulk('7')).status).toBe(200)
    expect((await on.get('/api/companies?cf.n=7')).body.total).toBe(1)
    const filtered = (filter: object) =>
      on.post('/api/companies/bulk-update', { filter, set: { name: 'New' } })
    expect((await filtered({ 'cf.n__gte': 7 })).body.updated).toBe(1)
    expect((await filtered({ 'cf.n': [] })).body.updated).toBe(0)
    expect((await filtered({ 'cf.n': Array(101).fill(7) })).status).toBe(422)
    const upsert = await on.post('/api/companies/upsert?match_on=name', {
      name: 'New',
      metadata: { n: 'x' },
    })
    expect(upsert.body.detail[0]).toMatchObject({ loc: ['body', 'metadata', 'n'] })
  })
})
