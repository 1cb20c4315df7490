/** Activities of other products: when they are due, and the columns that only activities have. */
import { expect, it } from 'vitest'
import { onAnyEngine } from '../../../../test/support/service.ts'
import { errorsOf, imported, uploaded, warningsOf } from './testing.ts'

onAnyEngine('activities of other products', account => {
  it('have the time of day of their due date', async () => {
    const me = await account()
    const cells = [
      '2026-12-31 09:00',
      '2026-12-31',
      '2026-12-31 00:00',
      '31.12.2026 14:30',
      '2026-12-31T09:00:00+01:00',
    ]
    const file = `subject,type,Due Date\n${cells.map((cell, i) => `${i},task,${cell}\n`).join('')}`
    const result = await imported(me, file, { entity_type: 'activity' })
    expect(await errorsOf(me, result.id)).toEqual([])
    const { items } = (await me.get('/api/activities?sort_by=subject&sort_order=asc')).body
    const due = items.map(({ due_at, due_date }: Record<string, string | null>) => [due_at, due_date])
    expect(due).toEqual([
      ['2026-12-31T09:00:00.000Z', null],
      [null, '2026-12-31'],
      [null, '2026-12-31'],
      ['2026-12-31T14:30:00.000Z', null],
      ['2026-12-31T08:00:00.000Z', null],
    ])
  })

  it('of Pipedrive are mapped', async () => {
    const me = await account()
    const head = 'ID,Subject,Type,Done,Due date,Due time,Duration,Note,Assigned to user'
      .split(',')
      .map(name => `Activity - ${name}`)
    const rows = [
      `1,Ring,call,Done,2026-12-31,09:30,00:45,About the offer,`,
      '2,Meet,meeting,To do,2026-12-31,,1:30:00,,',
      '3,Send,task,To do,,10:00,,,',
      '4,Break,task,To do,2026-12-31,25:00,,,',
    ]
    const file = `${[head.join(), ...rows].join('\n')}\n`
    const upload = await uploaded(me, file, { entity_type: 'activity' })
    expect(Object.values(upload.mapping)).toEqual([
      ...['external_id', 'subject', 'type', 'status', 'due_date', 'due_time', 'duration_minutes'],
      ...['description', 'assignee_name'],
    ])
    const result = await imported(me, file, { entity_type: 'activity' })
    const { items } = (await me.get('/api/activities?sort_by=subject&sort_order=asc')).body
    expect(items).toMatchObject([
      { subject: 'Meet', status: 'planned', due_date: '2026-12-31', due_at: null, duration_minutes: 90 },
      {
        ...{ subject: 'Ring', status: 'completed', due_at: '2026-12-31T09:30:00.000Z', due_date: null },
        ...{ duration_minutes: 45, description: 'About the offer' },
      },
      { subject: 'Send', due_at: null, due_date: null },
    ])
    expect(await warningsOf(me, result.id)).toMatchObject([{ row: 4, column: 'Activity - Due time' }])
    expect(await errorsOf(me, result.id)).toMatchObject([
      { row: 5, column: 'Activity - Due time', message: '“25:00” is not a time of day: write it as 09:30' },
    ])
  })

  it('of HubSpot have no priority where it is NONE, and people have their additional addresses', async () => {
    const me = await account()
    const file = 'Record ID,Task Title,Task Status,Priority\n7,Ring,NOT_STARTED,NONE\n8,Meet,COMPLETED,HIGH\n'
    const result = await imported(me, file, { entity_type: 'activity', mapping: {}, options: {} })
    expect((await errorsOf(me, result.id)).map(({ field }: { field: string }) => field)).toEqual([
      'type',
      'type',
    ])
    const upload = await uploaded(me, file, { entity_type: 'activity' })
    expect(upload.value_mapping.Priority).toEqual({ NONE: null })
    const people =
      'Record ID,First Name,Email,Contact owner,Additional email addresses\n1,Ann,a@x.example,,b@x.example;c@x.example\n'
    await imported(me, people, { entity_type: 'contact' })
    expect((await me.get('/api/contacts')).body.items).toMatchObject([
      { emails: [{ email: 'a@x.example' }, { email: 'b@x.example' }, { email: 'c@x.example' }] },
    ])
  })
})
