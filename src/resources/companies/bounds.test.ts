/** The bounds of every field of a company, on create and on update. */
import { expect, it } from 'vitest'
import { onAnyEngine } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

const long = (length: number, character = 'x') => character.repeat(length)
const short = [
  'industry',
  'company_size',
  'address',
  'city',
  'state',
  'country',
  'postal_code',
  'twitter_handle',
  'connection_strength',
  'status',
  'enrichment_provider',
  'enrichment_status',
]
const addresses = ['website', 'linkedin_url', 'facebook_url', 'instagram_url', 'twitter_url', 'logo_url']

type Row = [field: string, value: unknown, type: string, loc?: (string | number)[]]

const refused: Row[] = [
  ['name', '', 'string_too_short'],
  ['name', long(256), 'string_too_long'],
  ['name', null, 'string_type'],
  ['name', 5, 'string_type'],
  ['name', 'a\u0000b', 'value_error'],
  ...short.flatMap((name): Row[] => [
    [name, long(256), 'string_too_long'],
    [name, 5, 'string_type'],
  ]),
  ...addresses.flatMap((name): Row[] => [
    [name, long(2049), 'string_too_long'],
    [name, ['x'], 'string_type'],
  ]),
  ['phone', long(65), 'string_too_long'],
  ['description', long(50_001), 'string_too_long'],
  ['notes', long(50_001), 'string_too_long'],
  ['email', 'no-at-sign', 'value_error'],
  ['email', 7, 'string_type'],
  ['employee_count', -1, 'greater_than_equal'],
  ['employee_count', 1.5, 'int_from_float'],
  ['employee_count', 'many', 'int_parsing'],
  ['employee_count', [], 'int_type'],
  ['employee_count', 2_147_483_648, 'less_than_equal'],
  ['twitter_follower_count', -1, 'greater_than_equal'],
  ['twitter_follower_count', 0.5, 'int_from_float'],
  ['annual_revenue', -0.01, 'greater_than_equal'],
  ['annual_revenue', 'a lot', 'float_parsing'],
  ['annual_revenue', {}, 'float_type'],
  ['annual_revenue', 'NaN', 'finite_number'],
  ['domains', 5, 'string_type', ['body', 'domains', 'str']],
  ['domains', [1], 'string_type', ['body', 'domains', 'str']],
  ['domains', [long(256)], 'string_type', ['body', 'domains', 'str']],
  ['domains', long(2049), 'string_too_long', ['body', 'domains', 'str']],
  ['domains', Array.from({ length: 101 }, () => 'a.com'), 'string_type', ['body', 'domains', 'str']],
  ['categories', 'x', 'list_type'],
  ['categories', [1], 'string_type', ['body', 'categories', 0]],
  ['categories', [''], 'string_too_short', ['body', 'categories', 0]],
  ['categories', ['ok', long(101)], 'string_too_long', ['body', 'categories', 1]],
  ['categories', Array.from({ length: 101 }, (_, i) => `c${i}`), 'too_long'],
  ['team_ids', 'x', 'list_type'],
  ['team_ids', ['x'], 'uuid_parsing', ['body', 'team_ids', 0]],
  ['team_ids', [1], 'uuid_type', ['body', 'team_ids', 0]],
  ['team_ids', [newId()], 'reference_not_found', ['body', 'team_ids', 0]],
  ['associated_deal_ids', [newId(), 'y'], 'uuid_parsing', ['body', 'associated_deal_ids', 1]],
  ['associated_deal_ids', [newId()], 'reference_not_found', ['body', 'associated_deal_ids', 0]],
  ['metadata', null, 'dict_type'],
  ['metadata', [], 'dict_type'],
  ['metadata', { x: 'a\u0000' }, 'value_error', ['body', 'metadata', 'x']],
  ['enrichment', 'x', 'dict_type'],
  ['enrichment_last_updated', 'yesterday', 'datetime_from_date_parsing'],
  ['enrichment_last_updated', true, 'datetime_type'],
]

const accepted: [field: string, given: unknown, answered?: unknown][] = [
  ['name', 'x'],
  ['name', long(255)],
  // counted in code points: 255 of these are 510 UTF-16 units
  ['name', long(255, '𝒳')],
  ...short.map((name): [string, unknown] => [name, long(255)]),
  ...addresses.map((name): [string, unknown] => [name, long(2048)]),
  ['phone', long(64)],
  ['description', long(50_000)],
  ['notes', long(50_000)],
  ['domains', long(2048, '𝒳')],
  ['domains', [long(255, '𝒳'), '']],
  ['email', 'Bob <Bob@EXAMPLE.com>', 'Bob@example.com'],
  ['employee_count', 0],
  ['employee_count', 2_147_483_647],
  ['employee_count', ' 5 ', 5],
  ['twitter_follower_count', 0],
  ['annual_revenue', 0],
  ['annual_revenue', 0.1],
  ['annual_revenue', '1e6', 1_000_000],
  ['status', 'something of our own'],
  ['connection_strength', ''],
  ['categories', []],
  ['team_ids', []],
  ['team_ids', null, []],
  ['associated_deal_ids', null, []],
  ['metadata', { __proto__x: 1, 'a.b': [true, null] }],
  ['enrichment_last_updated', 1_700_000_000, '2023-11-14T22:13:20.000Z'],
  ['enrichment_last_updated', '2026-02-01T12:00:00+02:00', '2026-02-01T10:00:00.000Z'],
]

onAnyEngine('bounds of a company', account => {
  it('refuses out-of-range values on create and update, and writes nothing', async () => {
    const { post, put, create, get } = await account()
    const { id } = await create('/api/companies', { name: 'Acme' })
    for (const [field, value, type, loc = ['body', field]] of refused) {
      const answers = [
        await post('/api/companies', { name: 'Acme', [field]: value }),
        await put(`/api/companies/${id}`, { city: 'Graz', [field]: value }),
      ]
      const row = `${field} = ${JSON.stringify(value)?.slice(0, 80)}`
      expect
        .soft(
          answers.map(answer => answer.status),
          row,
        )
        .toEqual([422, 422])
      for (const { body } of answers) expect.soft(body.detail?.[0], row).toMatchObject({ type, loc })
    }
    const { items, total } = (await get('/api/companies')).body
    expect([total, items[0].city]).toEqual([1, null])
  })

  it('accepts minimum and maximum values on create and update', async () => {
    const { create, put } = await account()
    for (const [field, given, answered = given] of accepted) {
      const row = `${field} = ${JSON.stringify(given)?.slice(0, 80)}`
      const made = await create('/api/companies', { name: 'Acme', [field]: given })
      expect.soft(made[field], row).toEqual(answered)
      const { id } = await create('/api/companies', { name: 'Acme' })
      expect.soft((await put(`/api/companies/${id}`, { [field]: given })).body[field], row).toEqual(answered)
    }
  })

  it('reports all problems at once, in the order of the fields', async () => {
    const { post } = await account()
    const answer = await post('/api/companies', { employee_count: -1, email: 'x', team_ids: ['y'] })
    expect(answer.body.detail.map((issue: { loc: unknown }) => issue.loc)).toEqual([
      ['body', 'name'],
      ['body', 'employee_count'],
      ['body', 'email'],
      ['body', 'team_ids', 0],
    ])
  })
})
