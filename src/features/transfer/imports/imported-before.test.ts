/** A file that is imported a second time. */
import { expect, it } from 'vitest'
import { onAnyEngine } from '../../../../test/support/service.ts'
import { done, imported, uploaded } from './testing.ts'

const codes = ({ warnings }: { warnings: { code: string }[] }) => warnings.map(({ code }) => code)

onAnyEngine('a file that was imported before', account => {
  it('is warned of, unless the import was reverted', async () => {
    const [me, other] = [await account(), await account()]
    const file = 'subject,type\nCall,call\n'
    const fields = { entity_type: 'activity' }
    await uploaded(me, file, fields)
    expect(codes(await uploaded(me, file, fields))).toEqual([])
    const first = await imported(me, file, fields)
    const again = await uploaded(me, file, fields)
    expect(again.warnings).toMatchObject([
      { column: null, code: 'imported_before', message: expect.stringMatching(/“people\.csv”, 1 created/) },
    ])
    const changed = await me.put(`/api/imports/${again.id}`, { options: { duplicate_strategy: 'update' } })
    expect(codes(changed.body)).toEqual(['imported_before'])
    for (const upload of [
      await uploaded(me, `${file}Mail,email\n`, fields),
      await uploaded(me, file, { entity_type: 'note', mapping: { subject: 'content' } }),
      await uploaded(other, file, fields),
    ])
      expect(codes(upload)).not.toContain('imported_before')
    await done(me, first.id, 'revert')
    expect(codes(await uploaded(me, file, fields))).toEqual([])
  })

  it.each([
    [
      'HubSpot tasks',
      'activity',
      'Record ID,Task Title,Task Status,Task Type,Priority\n7,Ring Ann,NOT_STARTED,CALL,HIGH\n',
    ],
    ['Pipedrive products', 'product', 'Product - ID,Product - Name\n5,Band\n'],
    ['Pipedrive activities', 'activity', 'Activity - ID,Activity - Subject,Activity - Type\n5,Ring,call\n'],
  ])('makes no second record of %s, which have ids', async (_, entity_type, file) => {
    const me = await account()
    expect(await imported(me, file, { entity_type })).toMatchObject({ created_count: 1, error_count: 0 })
    expect(await imported(me, file, { entity_type })).toMatchObject({ created_count: 0, skipped_count: 1 })
  })
})
