/** Declaring custom fields: what a definition is made of, and what fits together. */
import { describe, expect, it } from 'vitest'
import { type Account, onBothEngines } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'
import { keyOf } from './operations.ts'

const FIELDS = [
  'id',
  'created_at',
  'updated_at',
  'entity_type',
  'key',
  'name',
  'field_type',
  'description',
  'is_required',
  'is_unique',
  'default_value',
  'options',
  'validation',
  'group_name',
  'position',
  'is_archived',
  'account_id',
]
const text = { entity_type: 'company', name: 'Tier', field_type: 'text' }
const post = (on: Account, body: object) => on.post('/api/custom-fields', body)

describe('the key that a name makes', () => {
  it.each([
    ['Customer number', 'customer_number'],
    ['Größe (cm)', 'grosse_cm'],
    ['  Åse & Søn!', 'ase_s_n'],
    ['2nd phone', 'field_2nd_phone'],
    ['客户等级', ''],
    ['x'.repeat(255), 'x'.repeat(63)],
    [`${'x'.repeat(62)} y`, 'x'.repeat(62)],
  ])('%s → %s', (name, key) => {
    expect(keyOf(name)).toBe(key)
  })
})

onBothEngines('custom fields', (account, _, onOne) => {
  it('has its fields, with defaults', async () => {
    const on = await account()
    const made = await on.create('/api/custom-fields', text)
    expect(Object.keys(made)).toEqual(FIELDS)
    expect(made).toMatchObject({
      account_id: on.accountId,
      key: 'tier',
      description: null,
      is_required: false,
      is_unique: false,
      default_value: null,
      options: null,
      validation: null,
      group_name: null,
      position: 0,
      is_archived: false,
    })
    expect((await on.get(`/api/custom-fields/${made.id}`)).body).toEqual(made)
    const whole = {
      entity_type: 'deal',
      key: 'stage_2',
      name: 'Stage',
      field_type: 'select',
      description: 'What for',
      is_required: true,
      is_unique: false,
      default_value: 'b',
      options: [
        { value: 'a', label: 'A', color: 'red', position: 3, is_archived: true },
        { value: 'b', label: 'b', color: null, position: 1, is_archived: false },
      ],
      validation: null,
      group_name: 'Sales',
      position: 7,
      is_archived: false,
    }
    expect(await on.create('/api/custom-fields', whole)).toMatchObject(whole)
    const short = await on.create('/api/custom-fields', { ...whole, key: 's', options: [{ value: 'b' }] })
    expect(short.options).toEqual([{ value: 'b', label: 'b', color: null, position: 0, is_archived: false }])
    expect(
      (await on.create('/api/custom-fields', { ...text, entity_type: 'deal', name: 'Next' })).position,
    ).toBe(8)
  })

  describe('refuses', () => {
    const select = { ...text, field_type: 'select' }
    const number = { ...text, field_type: 'number' }
    const rows: [string, object, (string | number)[], string, string?][] = [
      ['no name', { ...text, name: undefined }, ['name'], 'missing'],
      ['an empty name', { ...text, name: '' }, ['name'], 'string_too_short'],
      ['a long name', { ...text, name: 'x'.repeat(256) }, ['name'], 'string_too_long'],
      ['an unknown type', { ...text, field_type: 'color' }, ['field_type'], 'enum'],
      [
        'another kind of record',
        { ...text, entity_type: 'note' },
        ['entity_type'],
        'enum',
        "Input should be 'company', 'contact', 'deal', 'activity' or 'product'",
      ],
      [
        'a key with capitals',
        { ...text, key: 'Tier' },
        ['key'],
        'string_pattern_mismatch',
        "String should match pattern '^[a-z][a-z0-9_]{0,62}$'",
      ],
      ['a key that begins with a digit', { ...text, key: '1a' }, ['key'], 'string_pattern_mismatch'],
      ['a long key', { ...text, key: 'x'.repeat(64) }, ['key'], 'string_pattern_mismatch'],
      ['options on a text', { ...text, options: [{ value: 'a' }] }, ['options'], 'value_error'],
      [
        'an option twice',
        { ...select, options: [{ value: 'a' }, { value: 'a' }] },
        ['options', 1, 'value'],
        'value_error',
      ],
      [
        'an option without a value',
        { ...select, options: [{ label: 'A' }] },
        ['options', 0, 'value'],
        'missing',
      ],
      [
        'an empty option',
        { ...select, options: [{ value: '' }] },
        ['options', 0, 'value'],
        'string_too_short',
      ],
      [
        '501 options',
        { ...select, options: Array.from({ length: 501 }, (_, i) => ({ value: `${i}` })) },
        ['options'],
        'too_long',
      ],
      [
        'min on a text',
        { ...text, validation: { min: 1 } },
        ['validation', 'min'],
        'value_error',
        'Value error, min does not apply to a field of the type text',
      ],
      [
        'a length on a number',
        { ...number, validation: { max_length: 1 } },
        ['validation', 'max_length'],
        'value_error',
      ],
      [
        'a pattern on a number',
        { ...number, validation: { pattern: 'a' } },
        ['validation', 'pattern'],
        'value_error',
      ],
      [
        'a pattern on a long text',
        { ...text, field_type: 'long_text', validation: { pattern: 'a' } },
        ['validation', 'pattern'],
        'value_error',
      ],
      [
        'a broken pattern',
        { ...text, validation: { pattern: '(' } },
        ['validation', 'pattern'],
        'value_error',
        'Value error, this is not a regular expression',
      ],
      [
        'a pattern that looks ahead',
        { ...text, validation: { pattern: '(?=a)' } },
        ['validation', 'pattern'],
        'value_error',
        'Value error, a pattern cannot look ahead or behind',
      ],
      [
        'a huge pattern',
        { ...text, validation: { pattern: '(a{500}){500}' } },
        ['validation', 'pattern'],
        'value_error',
      ],
      [
        'a long pattern',
        { ...text, validation: { pattern: 'a'.repeat(501) } },
        ['validation', 'pattern'],
        'string_too_long',
      ],
      [
        'min above max',
        { ...number, validation: { min: 2, max: 1 } },
        ['validation', 'max'],
        'value_error',
        'Value error, max must not be less than min',
      ],
      [
        'a text as the bound of a number',
        { ...number, validation: { min: 'low' } },
        ['validation', 'min'],
        'value_error',
      ],
      [
        'no date as the bound of a date',
        { ...text, field_type: 'date', validation: { min: 'soon' } },
        ['validation', 'min'],
        'date_from_datetime_parsing',
      ],
      [
        'dates in the wrong order',
        { ...text, field_type: 'date', validation: { min: '2026-01-02', max: '2026-01-01' } },
        ['validation', 'max'],
        'value_error',
      ],
      [
        'lengths in the wrong order',
        { ...text, validation: { min_length: 2, max_length: 1 } },
        ['validation', 'max_length'],
        'value_error',
      ],
      [
        'a negative length',
        { ...text, validation: { min_length: -1 } },
        ['validation', 'min_length'],
        'greater_than_equal',
      ],
      [
        'more than the type holds',
        { ...text, validation: { max_length: 1001 } },
        ['validation', 'max_length'],
        'value_error',
      ],
      [
        'a rating up to 1000',
        { ...text, field_type: 'rating', validation: { max: 1000 } },
        ['validation', 'max'],
        'value_error',
      ],
      [
        'a rating that leaves nothing',
        { ...text, field_type: 'rating', validation: { min: 6 } },
        ['validation'],
        'value_error',
      ],
      [
        'a target on a text',
        { ...text, validation: { entity_type: 'contact' } },
        ['validation', 'entity_type'],
        'value_error',
      ],
      ['a unique boolean', { ...text, field_type: 'boolean', is_unique: true }, ['is_unique'], 'value_error'],
      [
        'a unique default',
        { ...text, is_unique: true, default_value: 'x' },
        ['default_value'],
        'value_error',
      ],
      ['a default of another type', { ...number, default_value: 'x' }, ['default_value'], 'float_parsing'],
      [
        'a default that breaks the rules',
        { ...number, default_value: 5, validation: { max: 4 } },
        ['default_value'],
        'less_than_equal',
      ],
      [
        'a default that is no option',
        { ...select, default_value: 'x', options: [{ value: 'a' }] },
        ['default_value'],
        'enum',
      ],
      [
        'a default that is archived',
        { ...select, default_value: 'a', options: [{ value: 'a', is_archived: true }] },
        ['default_value'],
        'value_error',
      ],
      [
        'a default user who is none',
        { ...text, field_type: 'user', default_value: '0197f9c5-0000-7000-8000-000000000000' },
        ['default_value'],
        'reference_not_found',
        'User not found',
      ],
      ['a long description', { ...text, description: 'x'.repeat(2001) }, ['description'], 'string_too_long'],
      ['a negative position', { ...text, position: -1 }, ['position'], 'greater_than_equal'],
    ]
    onOne.each(rows)('%s', async (_, body, loc, type, msg) => {
      const on = await account()
      const answer = await post(on, body)
      const issue = { type, loc: ['body', ...loc], ...(msg ? { msg } : {}) }
      expect([answer.status, answer.body.detail]).toMatchObject([422, [issue]])
      expect((await on.get('/api/custom-fields')).body.total).toBe(0)
    })
  })

  it('has a unique key per kind of record', async () => {
    const on = await account()
    const first = await on.create('/api/custom-fields', text)
    const clash = await post(on, { ...text, name: 'TIER!' })
    expect([clash.status, clash.body.detail]).toEqual([
      409,
      `The custom field "Tier" (${first.id}) has the key tier already`,
    ])
    expect((await post(on, { ...text, name: 'Other', key: 'tier' })).status).toBe(409)
    expect((await post(on, { ...text, entity_type: 'contact' })).status).toBe(201)
    expect((await post(await account(), text)).status).toBe(201)
    // names that make no key are numbered
    expect((await on.create('/api/custom-fields', { ...text, name: '等级' })).key).toBe('field')
    expect((await on.create('/api/custom-fields', { ...text, name: '大小' })).key).toBe('field_2')
    const same = await Promise.all(Array.from({ length: 4 }, () => post(on, { ...text, name: 'At once' })))
    expect(same.map(answer => answer.status).sort()).toEqual([201, 409, 409, 409])
  })

  onOne('cannot change its kind, key and type', async () => {
    const on = await account()
    const made = await on.create('/api/custom-fields', { ...text, validation: { max_length: 5 } })
    const path = `/api/custom-fields/${made.id}`
    for (const [name, value] of [
      ['entity_type', 'contact'],
      ['key', 'other'],
      ['field_type', 'number'],
    ]) {
      const answer = await on.put(path, { [name as string]: value })
      expect([answer.status, answer.body.detail]).toMatchObject([
        422,
        [{ type: 'value_error', loc: ['body', name] }],
      ])
    }
    expect((await on.put(path, made)).body).toMatchObject({ ...made, updated_at: expect.any(String) })
    const changed = await on.put(path, {
      name: 'Level',
      group_name: 'Main',
      is_required: true,
      default_value: 'low',
    })
    expect(changed.body).toMatchObject({
      key: 'tier',
      name: 'Level',
      group_name: 'Main',
      is_required: true,
      default_value: 'low',
    })
    expect((await on.put(path, { default_value: 'too long' })).body.detail[0]).toMatchObject({
      type: 'string_too_long',
    })
    expect((await on.put(path, { validation: { max_length: 2 } })).body.detail[0].loc).toEqual([
      'body',
      'default_value',
    ])
    expect((await on.put(path, { validation: null, default_value: null })).body).toMatchObject({
      validation: null,
      default_value: null,
    })
    expect((await on.put(path, { name: null })).status).toBe(422)
    expect((await on.put(`/api/custom-fields/${newId()}`, {})).body).toEqual({
      detail: 'Custom field not found',
    })
    expect((await (await account()).put(path, {})).status).toBe(404)
  })

  it('becomes unique only while no two records share a value', async () => {
    const on = await account()
    const made = await on.create('/api/custom-fields', text)
    const records = []
    for (const tier of ['a', 'a', 'b'])
      records.push(await on.create('/api/companies', { name: 'x', metadata: { tier } }))
    const path = `/api/custom-fields/${made.id}`
    const refused = await on.put(path, { is_unique: true })
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      'Several records have the same value of this field, so it cannot be unique',
    ])
    expect((await on.get(path)).body.is_unique).toBe(false)
    await on.delete(`/api/companies/${records[0].id}`)
    expect((await on.put(path, { is_unique: true })).status).toBe(200)
    expect((await on.post('/api/companies', { name: 'x', metadata: { tier: 'b' } })).status).toBe(409)
    await on.put(path, { is_unique: false })
    expect((await on.post('/api/companies', { name: 'x', metadata: { tier: 'b' } })).status).toBe(201)
    await on.delete(path)
    const again = await post(on, { ...text, is_unique: true })
    expect(again.status).toBe(409)
  })

  it('can be deleted, and restored unless its key is in use', async () => {
    const on = await account()
    const made = await on.create('/api/custom-fields', text)
    const path = `/api/custom-fields/${made.id}`
    await on.delete(path)
    expect((await on.get(path)).status).toBe(404)
    expect((await on.get('/api/custom-fields?deleted=true')).body.items).toMatchObject([{ id: made.id }])
    const second = await on.create('/api/custom-fields', { ...text, field_type: 'number' })
    const back = await on.post(`${path}/restore`)
    expect([back.status, back.body.detail]).toEqual([
      409,
      `The custom field "Tier" (${second.id}) has the key tier already`,
    ])
    await on.post('/api/custom-fields/bulk-delete', [second.id, newId()])
    expect((await on.post(`${path}/restore`)).body).toMatchObject({ id: made.id, field_type: 'text' })
    expect((await on.post(`/api/custom-fields/${newId()}/restore`)).status).toBe(404)
  })

  it('is listed in order and by its filters', async () => {
    const on = await account()
    for (const [name, more] of [
      ['c', { position: 3 }],
      ['a', { position: 1, group_name: 'Main', field_type: 'number' }],
      ['b', { position: 2, is_archived: true, entity_type: 'deal' }],
    ] as const) {
      await on.create('/api/custom-fields', { ...text, name, ...more })
    }
    for (const [query, expected] of [
      ['', 'abc'],
      ['entity_type=company', 'ac'],
      ['entity_type=deal', 'b'],
      ['field_type=number', 'a'],
      ['is_archived=true', 'b'],
      ['is_archived=false', 'ac'],
      ['group_name=Main', 'a'],
      ['search=B', 'b'],
      ['sort_by=name&sort_order=desc', 'cba'],
      ['page_size=1&page=2', 'b'],
    ]) {
      const { items } = (await on.get(`/api/custom-fields?${query}`)).body
      expect([query, items.map((item: { name: string }) => item.name).join('')]).toEqual([query, expected])
    }
    expect((await on.get('/api/custom-fields?entity_type=note')).status).toBe(422)
    expect((await on.get('/api/custom-fields?field_type=color')).status).toBe(422)
  })

  it('applies at once, for every caller', async () => {
    const on = await account()
    expect((await on.post('/api/companies', { name: 'x', metadata: { n: 'x' } })).status).toBe(201)
    const made = await on.create('/api/custom-fields', { ...text, key: 'n', field_type: 'number' })
    expect((await on.post('/api/companies', { name: 'x', metadata: { n: 'x' } })).status).toBe(422)
    await on.delete(`/api/custom-fields/${made.id}`)
    expect((await on.post('/api/companies', { name: 'x', metadata: { n: 'x' } })).status).toBe(201)
    const key = { 'idempotency-key': newId() }
    const again = { ...text, key: 'n', field_type: 'number' }
    expect((await on.post('/api/custom-fields', again, key)).status).toBe(201)
    expect((await on.post('/api/companies', { name: 'x', metadata: { n: 'x' } })).status).toBe(422)
  })
})
