/** Import: a file is mapped, tried, imported and taken back. Export: a list becomes a file. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { inBrowser, inEveryLook } from '../support/browser.ts'
import { expectAccessible, screenshot } from '../support/page-problems.ts'

const ROWS = [
  'Name;E-Mail;Company;Lifecycle;Owner;Shoe size',
  'Lena Ostrow;lena.ostrow@brightwater.example;Brightwater;Customer;Ada Owner;39',
  'Jonas Pohl;jonas.pohl@brightwater.example;Brightwater;Prospect;Bob Unknown;44',
  'Tom Quill;not-an-address;Halden Works;Lead;;41',
]

const file = (name: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(`${ROWS.join('\n')}\n`) })

async function upload(page: Page, name: string): Promise<void> {
  await page.getByLabel('File to upload').setInputFiles(file(name))
  expect(await page.getByRole('radio', { name: 'Contact' }).isChecked()).toBe(true)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name }).waitFor()
}

async function choose(page: Page, box: RegExp, option: string): Promise<void> {
  await page.getByRole('combobox', { name: box }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

async function mapTo(page: Page, column: string, field: string): Promise<void> {
  await page.getByRole('button', { name: `Field for ${column}` }).click()
  await page.getByRole('combobox', { name: `Field for ${column}` }).fill(field)
  await page.getByRole('option', { name: field }).first().click()
}

async function saved(page: Page, click: () => Promise<void>): Promise<{ name: string; text: string }> {
  const download = page.waitForEvent('download')
  await click()
  const stored = await download
  return { name: stored.suggestedFilename(), text: await readFile(await stored.path(), 'utf8') }
}

inBrowser('import', site => {
  const found = async (search: string) =>
    (await site().call('GET', `/api/contacts?search=${encodeURIComponent(search)}`)).body.items

  it('maps a file, tries it, imports it, and takes it back', async () => {
    const page = await site().open('/imports')
    await page.getByLabel('File to upload').setInputFiles({ ...file('contacts.png'), mimeType: 'image/png' })
    await page.getByText('contacts.png cannot be imported').waitFor()
    await upload(page, 'contacts.csv')
    await page.getByText('Not known here: “Bob Unknown”; their rows fail').waitFor()
    await page
      .getByRole('region', { name: 'First rows' })
      .getByText(/^Company.*Brightwater$/)
      .first()
      .waitFor()
    await mapTo(page, 'Lifecycle', 'Status')
    // no two fields have the same name
    await page.getByRole('button', { name: 'Field for Shoe size' }).click()
    const offered = await page.getByRole('option').allInnerTexts()
    expect(offered.length).toBeGreaterThan(20)
    expect(offered.filter((text, index) => offered.indexOf(text) !== index)).toEqual([])
    await page.keyboard.press('Escape')
    await mapTo(page, 'Shoe size', 'New custom field')
    await page.getByRole('button', { name: '3 values · 1 not known here' }).click()
    await choose(page, /Read Prospect as/, 'Qualified')
    await choose(page, /^Owners/, 'Leave empty')
    await page.getByText('they are left out').waitFor()

    await page.getByRole('button', { name: 'Dry run' }).click()
    const trial = page.getByRole('region', { name: 'Dry run' })
    await trial.getByText('Would fail').waitFor()
    expect(await trial.getByRole('definition').allTextContents()).toEqual(['2', '0', '0', '1', '1'])
    expect(await found('Lena Ostrow')).toEqual([])
    await page.getByText('An email address must have an @-sign').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'import-dry-run')

    await page.getByRole('button', { name: 'Import 2 contacts' }).click()
    await page.getByText('All 3 rows of the file have been read.').waitFor()
    expect(await found('Jonas Pohl')).toMatchObject([
      { status: 'qualified', custom_fields: { shoe_size: 44 }, owner_id: null },
    ])
    const failed = await saved(page, () => page.getByRole('button', { name: 'Failed rows' }).click())
    expect(failed.name).toBe('contacts-errors.csv')
    // as Excel opens it in the country of the file: its delimiter, and the mark without which umlauts break
    expect(failed.text).toMatch(/^\uFEFFName;E-Mail;/)
    expect(failed.text).toContain(';not-an-address;')

    await page.getByRole('link', { name: 'Open the imported contacts' }).click()
    await page.getByText('From one import').waitFor()
    await page.getByText('Jonas Pohl').first().waitFor()
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('3')
    await page.goBack()
    await page.getByRole('button', { name: 'Undo this import' }).click()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText(/^Undone: /).waitFor()
    expect(await found('Lena Ostrow')).toEqual([])
    await page.getByRole('link', { name: 'All imports' }).click()
    await page.getByRole('link', { name: 'contacts.csv 3 rows: 2 created' }).waitFor()
  })

  it('exports what a list shows', async () => {
    const where = encodeURIComponent(JSON.stringify({ field: 'country', op: 'eq', value: 'Germany' }))
    const { body } = await site().call('GET', '/api/companies?country=Germany')
    const page = await site().open(`/companies?where=${where}`)
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('heading', { name: `Export ${body.total} companies` }).waitFor()
    await page.getByRole('radio', { name: 'The columns shown' }).click()
    await expectAccessible(page)
    const exported = await saved(page, () =>
      page.getByRole('dialog').getByRole('button', { name: 'Export' }).click(),
    )
    expect(exported.name).toMatch(/^companies-.*\.csv$/)
    const [head = '', ...rows] = exported.text.trim().split('\r\n')
    expect(head).toContain('name,domains,industry')
    expect(rows.length).toBe(body.total)
    await page.getByText(`Exported ${body.total} companies`).waitFor()
  })

  it('is accessible in every look', async () => {
    const page = await site().open('/imports')
    await page.getByRole('region', { name: 'Imports so far' }).getByRole('link').first().waitFor()
    await inEveryLook(page, async look => {
      await expectAccessible(page, look)
      await screenshot(page, `imports-${look}`)
    })
    // on a phone
    await upload(page, 'people.csv')
    await page.getByText('Fails').first().waitFor()
    await inEveryLook(page, async look => {
      await expectAccessible(page, look)
      await screenshot(page, `import-${look}`)
    })
  })
})
