/** The status of a deal in a file: a word that is none never becomes open. */
import { expect, it } from 'vitest'
import { onAnyEngine } from '../../../../test/support/service.ts'
import { done, errorsOf, uploaded } from './testing.ts'

onAnyEngine('statuses of deals in an import', account => {
  it('are read, and rows with other words fail', async () => {
    const me = await account()
    const words = [
      'Gewonnen',
      'Verloren',
      'Offen',
      'Closed Won',
      'Deleted',
      'Archived',
      'xyz',
      'Abgelehnt',
      '',
    ]
    const file = `Deal name,Status\n${words.map((word, i) => `${i},${word}\n`).join('')}`
    const upload = await uploaded(me, file, {
      entity_type: 'deal',
      value_mapping: { Status: { Abgelehnt: 'lost' } },
    })
    expect(upload.warnings).toMatchObject([
      {
        column: 'Status',
        code: 'unknown_status',
        message: expect.stringContaining('“Deleted”, “Archived”, “xyz”;'),
      },
    ])
    expect(await done(me, upload.id, 'start')).toMatchObject({ created_count: 6, error_count: 3 })
    const { items } = (await me.get('/api/deals?page_size=100')).body
    const statuses = Object.fromEntries(
      items.map(({ name, status }: { name: string; status: string }) => [name, status]),
    )
    expect(statuses).toEqual({ 0: 'won', 1: 'lost', 2: 'open', 3: 'won', 7: 'lost', 8: 'open' })
    const unread = expect.stringMatching(/open, won and lost are read \(offen, gewonnen, verloren\)/)
    expect(await errorsOf(me, upload.id)).toMatchObject([
      {
        row: 6,
        column: 'Status',
        value: 'Deleted',
        message: expect.stringContaining('deleted is not imported'),
      },
      { row: 7, column: 'Status', value: 'Archived', message: unread },
      { row: 8, column: 'Status', value: 'xyz', message: unread },
    ])
  })
})
