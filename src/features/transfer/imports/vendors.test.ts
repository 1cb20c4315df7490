/** The export files of three products go in without editing: at least 98 % of the rows, and what does not is listed. */
import { expect, it } from 'vitest'
import { type Account, type Item, onAnyEngine } from '../../../../test/support/service.ts'
import { VENDORS } from '../../../../test/support/vendor-files.ts'
import { done, errorsOf, exportedText, imported, uploaded, warningsOf } from './testing.ts'

/** Imports companies, contacts and deals of a product; every row that fails, value and column that is lost is listed. */
async function importAll(me: Account, vendor: string, rows: number): Promise<void> {
  for (const { entity_type, text } of VENDORS[vendor]!(rows)) {
    const upload = await uploaded(me, text, { entity_type })
    expect(upload.options).toMatchObject({ profile: vendor, source: vendor })
    const result = await done(me, upload.id, 'start')
    const errors: { row: number; message: string }[] = await errorsOf(me, upload.id)
    expect(result.total_rows).toBe(rows)
    expect(result.created_count, JSON.stringify(errors.slice(0, 5))).toBeGreaterThanOrEqual(rows * 0.98)
    expect(result.created_count + new Set(errors.map(({ row }) => row)).size).toBe(rows)
    expect((await warningsOf(me, upload.id)).length).toBe(Math.min(result.warning_count, 1000))
    const dropped = Object.entries(upload.mapping).filter(([, field]) => field === null)
    const listed = upload.warnings.map(({ column }: { column: string }) => column)
    const empty = upload.columns.filter((column: { samples: string[] }) => column.samples.length === 0)
    const silent = dropped.filter(
      ([header]) =>
        !listed.includes(header) && !empty.some((column: { header: string }) => column.header === header),
    )
    expect(silent).toEqual([])
  }
  const { items } = (await me.get('/api/deals?page_size=5')).body
  for (const deal of items) expect(deal.associated_company_ids).toHaveLength(1)
  const labels = (await me.get('/api/tags?sort_by=name&sort_order=asc')).body.items
  expect(labels.map(({ name }: Item) => name)).toEqual(LABELS[vendor] ?? [])
  for (const { usage_count } of labels) expect(usage_count).toBeGreaterThan(0)
}

onAnyEngine('files of three products with 500 rows', account => {
  it.each(Object.keys(VENDORS))('%s', async vendor => {
    await importAll(await account(), vendor, 500)
  })
})

onAnyEngine('records of three products', account => {
  it.each(Object.keys(VENDORS))('%s: are the same after an export and an import', async vendor => {
    const [me, other] = [await account(), await account()]
    await importAll(me, vendor, 50)
    for (const [entity_type, group] of [
      ['company', 'companies'],
      ['contact', 'contacts'],
      ['deal', 'deals'],
    ] as const) {
      const { total } = (await me.get(`/api/${group}`)).body
      const fields = entity_type === 'deal' ? DEAL_FIELDS : null
      const file = await exportedText(me, { entity_type, fields })
      const again = await imported(other, file, {
        entity_type,
        // companies of one name are several in these files
        options: {
          duplicate_strategy: 'create',
          on_missing: { stage: 'create', pipeline: 'create', owner: 'empty' },
        },
      })
      expect(again, JSON.stringify((await errorsOf(other, again.id)).slice(0, 3))).toMatchObject({
        created_count: total,
        error_count: 0,
      })
      expect(await exportedText(other, { entity_type, fields })).toBe(file)
    }
  })
})

const LABELS: Record<string, string[]> = { pipedrive: ['Cold lead', 'Customer', 'Hot lead'] }

/** Without the ids of stages and pipelines, which differ in another account. */
const DEAL_FIELDS = [
  ...[
    'id',
    'created_at',
    'updated_at',
    'name',
    'amount',
    'currency',
    'pipeline_name',
    'stage_name',
    'closed_at',
  ],
  ...[
    'expected_close_date',
    'company_id',
    'company_name',
    'associated_company_ids',
    'associated_contact_ids',
  ],
  ...['primary_contact_id', 'lost_reason', 'external_ids', 'tags', 'metadata'],
]
