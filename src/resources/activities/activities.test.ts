/** The fields of an activity and their bounds, on create and on update. */
import { expect, it } from 'vitest'
import { onBothEngines } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

const at = '/api/activities'
const long = (length: number) => 'x'.repeat(length)

type Row = [field: string, value: unknown, type: string, loc?: (string | number)[]]

const refused: Row[] = [
  ['type', 'party', 'enum'],
  ['type', null, 'enum'],
  ['subject', '', 'string_too_short'],
  ['subject', long(256), 'string_too_long'],
  ['subject', null, 'string_type'],
  ['subject', 'a\u0000', 'value_error'],
  ['title', long(256), 'string_too_long'],
  ['title', '', 'string_too_short'],
  ['title', null, 'string_type'],
  ['description', long(50_001), 'string_too_long'],
  ['status', 'done', 'enum'],
  ['status', null, 'enum'],
  ['priority', 'huge', 'enum'],
  ['due_at', 'soon', 'datetime_from_date_parsing'],
  ['due_date', '2026-02-30', 'date_from_datetime_parsing'],
  ['due_date', '2026-02-03T10:00:00Z', 'date_from_datetime_inexact'],
  ['start_at', [], 'datetime_type'],
  ['end_at', '2026-13-01', 'datetime_from_date_parsing'],
  ['all_day', null, 'bool_type'],
  ['all_day', 'maybe', 'bool_parsing'],
  ['duration_minutes', -1, 'greater_than_equal'],
  ['duration_minutes', 1.5, 'int_from_float'],
  ['duration_minutes', 2_147_483_648, 'less_than_equal'],
  ['direction', 'sideways', 'enum'],
  ['outcome', long(50_001), 'string_too_long'],
  ['location', long(256), 'string_too_long'],
  ['meeting_url', long(2049), 'string_too_long'],
  ['assignee_id', 'x', 'uuid_parsing'],
  ['assignee_id', newId(), 'reference_not_found'],
  ['contact_ids', 'x', 'list_type'],
  ['contact_ids', ['x'], 'uuid_parsing', ['body', 'contact_ids', 0]],
  ['contact_ids', [newId()], 'reference_not_found', ['body', 'contact_ids', 0]],
  ['company_ids', [newId()], 'reference_not_found', ['body', 'company_ids', 0]],
  ['deal_ids', [newId()], 'reference_not_found', ['body', 'deal_ids', 0]],
  ['contact_ids', Array.from({ length: 1001 }, newId), 'too_long'],
  ['reminder_at', 'x', 'datetime_from_date_parsing'],
  ['transcription_id', 5, 'uuid_type'],
  ['transcription_id', newId(), 'reference_not_found'],
  ['metadata', [], 'dict_type'],
]

const accepted: [field: string, value: unknown, answered?: unknown][] = [
  ...(['call', 'meeting', 'task', 'email', 'other'] as const).map(type => ['type', type] as [string, string]),
  ['subject', long(255)],
  ['description', long(50_000)],
  ['status', 'in_progress'],
  ['status', 'cancelled'],
  ...(['low', 'medium', 'high', 'urgent', null] as const).map(p => ['priority', p] as [string, unknown]),
  ['due_at', '2026-03-01T10:00:00+02:00', '2026-03-01T08:00:00.000Z'],
  ['due_date', '2026-03-01'],
  ['start_at', 0, '1970-01-01T00:00:00.000Z'],
  ['end_at', '9999-12-31T23:59:59.999Z'],
  ['due_date', '9999-12-31'],
  ['all_day', true],
  ['duration_minutes', 2_147_483_647],
  ['direction', 'inbound'],
  ['outcome', 'Left a message'],
  ['location', long(255)],
  ['meeting_url', long(2048)],
  ['reminder_at', '2026-03-01T09:00:00.000Z'],
  ['transcription_id', null],
  ['metadata', { room: { floor: 2 } }],
]

const call = (more: object = {}) => ({ type: 'call', subject: 'Ring Ada', ...more })

onBothEngines('activities', account => {
  it('returns every field', async () => {
    const { create, userId, accountId } = await account()
    const made = await create(at, { type: 'task', subject: 'Write', title: 'Another', unknown: 1 })
    expect(made).toEqual({
      id: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
      account_id: accountId,
      type: 'task',
      subject: 'Write',
      title: 'Write',
      description: null,
      status: 'planned',
      priority: null,
      due_at: null,
      due_date: null,
      start_at: null,
      end_at: null,
      all_day: false,
      duration_minutes: null,
      completed_at: null,
      is_overdue: false,
      direction: null,
      outcome: null,
      location: null,
      meeting_url: null,
      assignee_id: null,
      contact_ids: [],
      company_ids: [],
      deal_ids: [],
      reminder_at: null,
      transcription_id: null,
      metadata: {},
      custom_fields: {},
      created_by: userId,
    })
  })

  it('refuses out-of-range values on create and update, and writes nothing', async () => {
    const { create, post, put, get } = await account()
    const { id } = await create(at, call())
    for (const [field, value, type, loc = ['body', field]] of refused) {
      const row = `${field} = ${JSON.stringify(value)?.slice(0, 40)}`
      const made = await post(at, call({ [field]: value }))
      expect(made.status, row).toBe(422)
      expect(made.body.detail, row).toMatchObject([{ type, loc }])
      const changed = await put(`${at}/${id}`, { [field]: value })
      expect(changed.status, row).toBe(422)
      expect(changed.body.detail, row).toMatchObject([{ type, loc }])
    }
    expect((await get(at)).body.total).toBe(1)
    expect((await get(`${at}/${id}`)).body).toMatchObject({ subject: 'Ring Ada', type: 'call' })
  })

  it('stores minimum and maximum values on create and update', async () => {
    const { create, put } = await account()
    const { id } = await create(at, call())
    for (const [field, value, answered = value] of accepted) {
      expect((await create(at, call({ [field]: value })))[field], field).toEqual(answered)
    }
    for (const [field, value, answered = value] of accepted) {
      // each alone: together they would make a span that ends before it starts
      await put(`${at}/${id}`, { start_at: null, end_at: null })
      const changed = await put(`${at}/${id}`, { [field]: value })
      expect(changed.status, field).toBe(200)
      expect(changed.body[field], field).toEqual(answered)
    }
  })
})
