/** The bounds of every field of a contact, on create and on update. */
import { expect, it } from 'vitest'
import { onAnyEngine } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

const at = '/api/contacts'
const long = (length: number, character = 'x') => character.repeat(length)
const short = [
  'first_name',
  'last_name',
  'job_title',
  'department',
  'status',
  'connection_strength',
  'lead_source',
  'twitter_handle',
  'address',
  'city',
  'state',
  'country',
  'postal_code',
  'timezone',
  'language',
  'enrichment_provider',
  'enrichment_status',
]
const addresses = ['website', 'linkedin_url', 'facebook_url', 'instagram_url', 'twitter_url', 'avatar_url']
const emails = (count: number) => Array.from({ length: count }, (_, i) => ({ email: `p${i}@x.test` }))
const phones = (count: number) => Array.from({ length: count }, (_, i) => ({ phone: `55500${i}` }))

type Row = [field: string, value: unknown, type: string, loc?: (string | number)[]]

const refused: Row[] = [
  ...short.flatMap((name): Row[] => [
    [name, long(256), 'string_too_long'],
    [name, 5, 'string_type'],
    [name, 'a\u0000', 'value_error'],
  ]),
  ...addresses.map((name): Row => [name, long(2049), 'string_too_long']),
  ['email', 'nobody', 'value_error'],
  ['email', '', 'value_error'],
  ['email', 5, 'string_type'],
  ['emails', {}, 'list_type'],
  ['emails', ['a@b.co'], 'model_attributes_type', ['body', 'emails', 0]],
  ['emails', [{}], 'missing', ['body', 'emails', 0, 'email']],
  ['emails', [{ email: 'nobody' }], 'value_error', ['body', 'emails', 0, 'email']],
  ['emails', [{ email: 'a@b.co', type: 'boat' }], 'enum', ['body', 'emails', 0, 'type']],
  ['emails', [{ email: 'a@b.co', is_primary: 'very' }], 'bool_parsing', ['body', 'emails', 0, 'is_primary']],
  ['emails', emails(21), 'too_long'],
  ['emails', emails(2).map(entry => ({ ...entry, is_primary: true })), 'value_error'],
  ['phone', long(65), 'string_too_long'],
  ['phones', [{ phone: '' }], 'string_too_short', ['body', 'phones', 0, 'phone']],
  ['phones', [{ phone: long(65) }], 'string_too_long', ['body', 'phones', 0, 'phone']],
  ['phones', [{ phone: '1', type: 'tin can' }], 'enum', ['body', 'phones', 0, 'type']],
  ['phones', phones(21), 'too_long'],
  ['phones', phones(2).map(entry => ({ ...entry, is_primary: true })), 'value_error'],
  ['company_id', 'x', 'uuid_parsing'],
  ['company_id', newId(), 'reference_not_found'],
  ['company_ids', 'x', 'list_type'],
  ['company_ids', ['x'], 'uuid_parsing', ['body', 'company_ids', 0]],
  ['company_ids', [newId()], 'reference_not_found', ['body', 'company_ids', 0]],
  ['associated_deal_ids', [5], 'uuid_type', ['body', 'associated_deal_ids', 0]],
  ['associated_deal_ids', [newId()], 'reference_not_found', ['body', 'associated_deal_ids', 0]],
  ['owner_id', 'x', 'uuid_parsing'],
  ['twitter_follower_count', -1, 'greater_than_equal'],
  ['twitter_follower_count', 2_147_483_648, 'less_than_equal'],
  ['birthday', 'tomorrow', 'date_from_datetime_parsing'],
  ['birthday', '2026-02-30', 'date_from_datetime_parsing'],
  ['birthday', '2000-01-01T12:00:00Z', 'date_from_datetime_inexact'],
  ['do_not_contact', 'maybe', 'bool_parsing'],
  ['do_not_contact', null, 'bool_type'],
  ['email_opt_out', [], 'bool_type'],
  ['description', long(50_001), 'string_too_long'],
  ['notes', long(50_001), 'string_too_long'],
  ['categories', [''], 'string_too_short', ['body', 'categories', 0]],
  ['metadata', null, 'dict_type'],
  ['enrichment', 5, 'dict_type'],
  ['enrichment_last_updated', 'x', 'datetime_from_date_parsing'],
]

const accepted: [field: string, given: unknown, answered?: unknown][] = [
  ...short.map((name): [string, unknown] => [name, long(255, '𝒳')]),
  ...addresses.map((name): [string, unknown] => [name, long(2048)]),
  ['phone', long(64)],
  ['email', ' Ada <Ada@EXAMPLE.com>', 'Ada@example.com'],
  ['emails', []],
  ['phones', []],
  ['emails', [{ email: 'A@X.test' }], [{ email: 'A@x.test', type: 'work', is_primary: true }]],
  [
    'phones',
    [{ phone: '1' }, { phone: '2', type: 'mobile', is_primary: true }],
    [
      { phone: '1', type: 'work', is_primary: false },
      { phone: '2', type: 'mobile', is_primary: true },
    ],
  ],
  ['twitter_follower_count', 0],
  ['birthday', '1815-12-10'],
  ['birthday', '2000-02-29T00:00:00', '2000-02-29'],
  ['do_not_contact', 'yes', true],
  ['email_opt_out', 1, true],
  ['status', 'whatever we like'],
  ['description', long(50_000)],
  ['notes', long(50_000)],
  ['company_ids', null, []],
  ['associated_deal_ids', null, []],
  ['categories', null],
]

onAnyEngine('bounds of a contact', account => {
  it('refuses out-of-range values on create and update, and writes nothing', async () => {
    const { post, put, create, get } = await account()
    const { id } = await create(at, { last_name: 'Lovelace' })
    for (const [field, value, type, loc = ['body', field]] of refused) {
      const answers = [
        await post(at, { last_name: 'King', [field]: value }),
        await put(`${at}/${id}`, { city: 'Graz', [field]: value }),
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
    const { items, total } = (await get(at)).body
    expect([total, items[0].city, items[0].last_name]).toEqual([1, null, 'Lovelace'])
  })

  it('accepts minimum and maximum values on create and update', async () => {
    const { create, put } = await account()
    for (const [field, given, answered = given] of accepted) {
      const row = `${field} = ${JSON.stringify(given)?.slice(0, 80)}`
      const made = await create(at, { first_name: 'Ada', [field]: given })
      expect.soft(made[field], row).toEqual(answered)
      const { id } = await create(at, { first_name: 'Ada' })
      expect.soft((await put(`${at}/${id}`, { [field]: given })).body[field], row).toEqual(answered)
    }
  })

  it('accepts twenty addresses, including the single one', async () => {
    const { create, post } = await account()
    expect((await create(at, { emails: emails(20) })).emails).toHaveLength(20)
    expect((await create(at, { email: 'P3@x.test', emails: emails(20) })).emails).toHaveLength(20)
    const over = await post(at, { email: 'another@x.test', emails: emails(20) })
    expect(over.status).toBe(422)
    expect(over.body.detail[0]).toMatchObject({ type: 'value_error', loc: ['body', 'emails'] })
  })
})
