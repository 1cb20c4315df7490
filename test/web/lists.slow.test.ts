/** Lists of records in the web client, as a person works in them. */
import type { Page, Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { inBrowser, inEveryLook, type Site } from '../support/browser.ts'
import { expectAccessible, screenshot } from '../support/page-problems.ts'

/** The cell of a row and column, both counted from 0. */
const cell = (page: Page, row: number, column: number) => page.locator(`[data-cell="${row}:${column}"]`)
const NAME = 0
const COMPANY = 1
const JOB_TITLE = 2
const STATUS = 5

/** Waits until this element has the focus. */
const focused = (page: Page, selector: string) => page.locator(`${selector}:focus`).waitFor()

const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor()

/** Opens the contacts of one last name, which the test has created. */
async function contactsNamed(
  site: Site,
  lastName: string,
  count = 1,
  expected = /^$/,
): Promise<{ page: Page; ids: string[] }> {
  const ids: string[] = []
  for (let number = 1; number <= count; number++) {
    const email = `zoe.${number}@${lastName.toLowerCase()}.test`
    const record = {
      first_name: `Zoe ${number}`,
      last_name: lastName,
      email,
      job_title: 'Buyer',
      status: 'lead',
    }
    const { body } = await site.call('POST', '/api/contacts', record)
    ids.push(body.id)
  }
  const page = await site.open(`/contacts?q=${lastName}&sort=full_name`, { expected })
  await cell(page, count - 1, NAME)
    .getByText(lastName)
    .waitFor()
  return { page, ids }
}

const contact = async (site: Site, id: string | undefined) =>
  (await site.call('GET', `/api/contacts/${id}`)).body

inBrowser('a list', site => {
  it('has search, filters and order in its address', async () => {
    const page = await site().open('/deals')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByLabel('Field to filter by').fill('Status')
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: 'Won' }).click()
    // at once, while the editor is open, and with one entry in the history
    await page.waitForURL(/won/)
    await page.getByRole('option', { name: 'Lost' }).click()
    await page.waitForURL(/lost/)
    await page.getByRole('option', { name: 'Lost' }).click()
    await page.waitForURL(url => !url.search.includes('lost'))
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Amount', exact: true }).click()
    await page.waitForURL(/sort=amount/)
    await page.getByRole('button', { name: 'Amount', exact: true }).click()
    await page.waitForURL(/sort=-amount/)

    const won = { field: 'status', op: 'eq', value: 'won' }
    const { body } = await site().call('POST', '/api/deals/query', {
      where: won,
      sort_by: 'amount',
      sort_order: 'desc',
    })
    await cell(page, 0, NAME).getByText(body.items[0].name).waitFor()
    expect(await page.locator('h1 + span').textContent()).toBe(String(body.total))
    await page.reload()
    await cell(page, 0, NAME).getByText(body.items[0].name).waitFor()
    await page.getByRole('button', { name: 'Remove the filter by Status' }).click()
    await page.waitForURL(url => !url.search.includes('where'))

    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByLabel('Field to filter by').fill('Amount')
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: /^Comparison/ }).click()
    await page.getByRole('option', { name: 'Amount is between' }).click()
    await page.getByLabel('Value', { exact: true }).fill('1,000')
    await page.getByLabel('Upper value').fill('20 000')
    await page.keyboard.press('Enter')
    const between = { field: 'amount', op: 'between', value: [1000, 20_000] }
    const { body: some } = await site().call('POST', '/api/deals/query', { where: between })
    await page.waitForURL(/between/)
    await page.locator('h1 + span').getByText(String(some.total), { exact: true }).waitFor()
  })

  it('is edited in place by keyboard, with Undo', async () => {
    const { page, ids } = await contactsNamed(site(), 'Inplace')
    // the table is one tab stop, from any of its cells
    await page.keyboard.press('j')
    await focused(page, '[data-cell="0:0"]')
    await page.keyboard.press('Tab')
    expect(await page.locator('[role=grid] :focus').count()).toBe(0)
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('ArrowUp')
    await focused(page, '[data-cell="-1:0"]')
    await page.keyboard.press('ArrowLeft')
    await page.getByLabel('Select all').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('ArrowDown')
    await focused(page, '[data-cell="0:-1"]')
    await page.keyboard.press('ArrowRight')
    // Enter opens the record; the way back ends where it began, and so does the palette
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/contacts/${ids[0]}`)
    await page.getByRole('heading', { name: 'Zoe 1 Inplace' }).and(page.locator(':focus')).waitFor()
    await page.goBack()
    await focused(page, '[data-cell="0:0"]')
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Find a record').waitFor()
    await page.keyboard.press('Escape')
    await focused(page, '[data-cell="0:0"]')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Job title' }).fill('Head of Purchasing')
    await page.keyboard.press('Enter')
    await toast(page, 'Changed job title')
    expect(await contact(site(), ids[0])).toMatchObject({ job_title: 'Head of Purchasing' })
    // shortcuts work although a message is shown
    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'New contact' }).waitFor()
    // an address that a contact has already leads to that contact
    await page.getByRole('textbox', { name: 'Email' }).fill('zoe.1@inplace.test')
    await page.getByText('Zoe 1 Inplace has this address already').waitFor()
    await page.keyboard.press('Escape')
    await focused(page, `[data-cell="0:${JOB_TITLE}"]`)
    await page.keyboard.press('Control+z')
    await toast(page, 'Undone: Changed job title')
    await cell(page, 0, JOB_TITLE).getByText('Buyer').waitFor()

    await cell(page, 0, STATUS).focus()
    await cell(page, 0, STATUS).click()
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Status' }).fill('Cust')
    await page.keyboard.press('Enter')
    await toast(page, 'Changed status')
    await cell(page, 0, STATUS).getByText('Customer').waitFor()
    expect(await contact(site(), ids[0])).toMatchObject({ job_title: 'Buyer', status: 'customer' })

    // by mouse: a click in the text or on an option does not end the edit
    for (const name of ['Inland', 'Offshore']) await site().call('POST', '/api/categories', { name })
    await page.goto(`${site().url}/contacts?q=Inplace&cols=full_name,job_title,categories`)
    // the page is new, and the last change can still be undone
    await cell(page, 0, NAME).getByText('Zoe 1 Inplace').waitFor()
    await page.keyboard.press('Control+z')
    await toast(page, 'Undone: Changed status')
    expect(await contact(site(), ids[0])).toMatchObject({ status: 'lead' })
    await cell(page, 0, 1).dblclick()
    await page.getByRole('textbox', { name: 'Job title' }).fill('Chief')
    await page.getByRole('textbox', { name: 'Job title' }).click()
    await page.getByRole('textbox', { name: 'Job title' }).press('Enter')
    await cell(page, 0, 1).getByText('Chief').waitFor()
    await cell(page, 0, 2).dblclick()
    await page.getByRole('option', { name: 'Inland' }).click()
    await page.getByRole('option', { name: 'Offshore' }).click()
    await page.keyboard.press('Escape')
    await toast(page, 'Changed categories')
    expect(await contact(site(), ids[0])).toMatchObject({
      job_title: 'Chief',
      categories: ['Inland', 'Offshore'],
    })
  })

  it('takes back an edit that the service refuses, and says why', async () => {
    const page = await site().open('/deals?cols=name,amount', { expected: /status of 422/ })
    await cell(page, 0, 1).getByText(/\d/).waitFor()
    const amount = await cell(page, 0, 1).textContent()
    await cell(page, 0, 1).dblclick()
    await page.getByRole('textbox', { name: 'Amount' }).fill('-5')
    await page.keyboard.press('Enter')
    await page
      .getByText(/^Amount: /)
      .first()
      .waitFor()
    await cell(page, 0, 1)
      .getByText(amount ?? '', { exact: true })
      .waitFor()
    await page.getByRole('button', { name: 'Edit again' }).click()
    expect(await page.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('-5')
  })

  it('changes, tags, merges and deletes many rows, each with Undo', async () => {
    const { page, ids } = await contactsNamed(site(), 'Bulkman', 3, /status of 422/)
    const dismiss = (message: string) =>
      page.locator('[data-toast]').filter({ hasText: message }).getByRole('button', { name: 'Dismiss' })
    const undo = async (message: string) => {
      await toast(page, message)
      // also for a screen reader, which has no pointer over the message
      await dismiss(message).waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await toast(page, 'Undone')
      await dismiss('Undone').click()
      await page.getByText('Undone', { exact: true }).first().waitFor({ state: 'detached' })
    }
    await page.getByLabel('Select all').click()
    await page.getByText('3 selected').waitFor()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Field to edit').fill('City')
    await page.keyboard.press('Enter')
    const refuse = (detail: string) => (route: Route) => route.fulfill({ status: 422, json: { detail } })
    await page.route('**/api/contacts/bulk-update', refuse('Not this city'), { times: 1 })
    await page.getByRole('button', { name: 'Clear city' }).waitFor()
    await page.getByLabel('City', { exact: true }).fill('Graz')
    await page.keyboard.press('Enter')
    await toast(page, 'Not this city')
    expect(await page.getByLabel('City', { exact: true }).inputValue()).toBe('Graz')
    await page.getByLabel('City', { exact: true }).press('Enter')
    await toast(page, 'Changed city of 3 contacts')
    expect(await contact(site(), ids[2])).toMatchObject({ city: 'Graz' })
    await undo('Changed city of 3 contacts')
    expect(await contact(site(), ids[2])).toMatchObject({ city: null })

    await page.getByRole('button', { name: 'Tag', exact: true }).click()
    await page.route('**/api/tags', refuse('Not this tag'), { times: 1 })
    await page.getByLabel('Tags').fill('bulk test')
    await page.getByRole('option', { name: 'Create “bulk test”' }).click()
    await toast(page, 'Not this tag')
    await page.getByLabel('Tags').fill('bulk test')
    await page.getByRole('option', { name: 'Create “bulk test”' }).click()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await undo('Tagged 3 contacts')

    await page.getByRole('button', { name: 'Merge', exact: true }).click()
    await page.getByRole('dialog').getByRole('radio').nth(1).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click()
    await toast(page, 'Merged 3 contacts')
    await cell(page, 1, NAME).waitFor({ state: 'detached' })
    await undo('Merged 3 contacts')
    await cell(page, 2, NAME).waitFor()

    await page.getByLabel('Select Zoe 2 Bulkman').check()
    await page.getByRole('button', { name: 'Delete' }).click()
    await toast(page, 'Deleted 1 contact')
    await cell(page, 2, NAME).waitFor({ state: 'detached' })
    await undo('Deleted 1 contact')
    await cell(page, 2, NAME).waitFor()
  })

  it('has columns to choose and a view that stores them', async () => {
    const page = await site().open('/companies')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByLabel('Show Industry').click()
    await page.getByLabel('Find a field').fill('Phone')
    await page.getByLabel('Show Phone').click()
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'Phone' }).waitFor()
    await page.getByRole('button', { name: /All companies/ }).click()
    await page.getByRole('menuitem', { name: 'Save as a view…' }).click()
    await page.getByLabel('Name', { exact: true }).fill('With phones')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(/view=/)

    await page.getByRole('button', { name: /With phones/ }).click()
    await page.getByRole('menuitem', { name: 'All companies' }).click()
    await page.waitForURL(url => !url.search.includes('view'))
    await page.goto(`${site().url}/companies`)
    await page.getByRole('button', { name: /All companies/ }).click()
    await page.getByRole('menuitem', { name: 'With phones' }).click()
    await page.getByRole('columnheader', { name: 'Phone' }).waitFor()
    await page.getByRole('columnheader', { name: 'Team' }).waitFor()
    expect(await page.getByRole('columnheader', { name: 'Industry' }).count()).toBe(0)
  })

  it('shows what others change, without a reload', async () => {
    const { page, ids } = await contactsNamed(site(), 'Liveman')
    await site().call('PATCH', `/api/contacts/${ids[0]}`, { job_title: 'Promoted elsewhere' })
    await cell(page, 0, JOB_TITLE).getByText('Promoted elsewhere').waitFor()
    await site().call('POST', '/api/contacts', { first_name: 'Zoe 2', last_name: 'Liveman' })
    await cell(page, 1, NAME).getByText('Zoe 2 Liveman').waitFor()

    // what a person types belongs to its record, although another row has come above it
    await cell(page, 0, JOB_TITLE).dblclick()
    await page.getByRole('textbox', { name: 'Job title' }).fill('Promoted here')
    await site().call('POST', '/api/contacts', { first_name: 'Ann', last_name: 'Liveman' })
    await cell(page, 0, NAME).getByText('Ann Liveman').waitFor()
    await page.getByRole('textbox', { name: 'Job title' }).press('Enter')
    await cell(page, 1, JOB_TITLE).getByText('Promoted here').waitFor()
    await toast(page, 'Changed job title')
    expect(await contact(site(), ids[0])).toMatchObject({ job_title: 'Promoted here' })
    const { body: ann } = await site().call('GET', '/api/contacts?search=Ann%20Liveman')
    expect(ann.items).toMatchObject([{ job_title: null }])
    await site().call('DELETE', `/api/contacts/${ann.items[0].id}`)
    await cell(page, 0, NAME).getByText('Zoe 1 Liveman').waitFor()

    // a company that is renamed is renamed in the rows of its contacts
    const { body: company } = await site().call('POST', '/api/companies', { name: 'Oxbow' })
    await site().call('PATCH', `/api/contacts/${ids[0]}`, { company_id: company.id })
    await cell(page, 0, COMPANY).getByText('Oxbow').waitFor()
    await site().call('PATCH', `/api/companies/${company.id}`, { name: 'Oxbow Lakes' })
    await cell(page, 0, COMPANY).getByText('Oxbow Lakes').waitFor()
    // and a list that is filtered by the companies follows them
    const where = JSON.stringify({ field: 'company.city', op: 'eq', value: 'Graz' })
    await page.goto(`${site().url}/contacts?where=${encodeURIComponent(where)}`)
    await page.getByText('Nothing matches').waitFor()
    await site().call('PATCH', `/api/companies/${company.id}`, { city: 'Graz' })
    await cell(page, 0, NAME).getByText('Zoe 1 Liveman').waitFor()
  })

  it('reads further rows as the person scrolls', async () => {
    const page = await site().open('/contacts')
    // what the first view has loaded until its first row
    await cell(page, 0, NAME).getByRole('link').waitFor()
    const script = await page.evaluate<number>(`performance.getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`)
    expect(script).toBeGreaterThan(100_000)
    expect(script).toBeLessThan(200_000)
    // cells without content can have the focus, too
    const total = Number(await page.locator('h1 + span').filter({ hasText: /\d/ }).textContent())
    await cell(page, 0, NAME).focus()
    await page.keyboard.press('Control+End')
    expect(total).toBeGreaterThan(150)
    await page.getByRole('row').nth(5).waitFor()
    await page.locator(`[aria-rowindex="${total + 1}"] input[type=checkbox]`).waitFor()
  })

  it('creates a record from the list', async () => {
    for (const name of ['Bore', 'Length']) {
      const field = { entity_type: 'product', name, field_type: 'number', is_required: true }
      await site().call('POST', '/api/custom-fields', field)
    }
    const page = await site().open('/products')
    await page.getByRole('columnheader', { name: 'Length' }).waitFor()
    await page.keyboard.press('c')
    await page.getByLabel('Name', { exact: true }).fill('Flow meter')
    await page.getByRole('dialog').getByLabel('Unit price').fill('199.5')
    await page.getByRole('dialog').getByLabel('Bore').fill('25')
    await page.getByRole('dialog').getByLabel('Length').fill('310')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await toast(page, 'Created Flow meter')
    const { body } = await site().call('GET', '/api/products?search=Flow%20meter')
    expect(body.items).toMatchObject([
      { name: 'Flow meter', unit_price: 199.5, custom_fields: { bore: 25, length: 310 } },
    ])
  })

  it('asks before it deletes more than a screen or two', async () => {
    const { body } = await site().call('GET', '/api/contacts?page_size=1')
    const page = await site().open('/contacts')
    await cell(page, 0, NAME).waitFor()
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await page.getByText(/^\d+ selected$/).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: `Delete ${body.total} contacts?` })
    await dialog.getByText('They go to the trash').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await site().call('GET', '/api/contacts?page_size=1')).body.total).toBe(body.total)
  })

  it('has one due for activities, a day with an optional time', async () => {
    const create = async (subject: string, due: object): Promise<string> =>
      (await site().call('POST', '/api/activities', { type: 'task', subject, ...due })).body.id
    await create('Sluicegate by its day', { due_date: '2031-05-03' })
    const timed = await create('Sluicegate at a time', { due_at: '2031-05-01T10:00:00Z' })
    // sorted by whichever is set, also where the address has the name that the field had
    const page = await site().open(
      '/activities?q=Sluicegate&cols=subject,due_at,due_date,status&sort=-due_at',
    )
    await page.getByRole('columnheader', { name: 'Due' }).waitFor()
    expect(await page.getByRole('columnheader').count()).toBe(4)
    await expect.poll(() => cell(page, 0, 0).textContent()).toContain('Sluicegate by its day')
    await expect.poll(() => cell(page, 0, 1).textContent()).toBe('3 May 2031')
    await cell(page, 1, 1).dblclick()
    const due = page.getByRole('group', { name: 'Due' })
    await due.getByLabel('Due day').fill('2031-05-04')
    await screenshot(page, 'lists-due')
    await due.getByLabel('Due time').fill('')
    await due.getByRole('button', { name: 'Save' }).click()
    await toast(page, 'Changed due')
    const read = async () => (await site().call('GET', `/api/activities/${timed}`)).body
    expect(await read()).toMatchObject({ due_at: null, due_date: '2031-05-04' })
    await page.keyboard.press('Control+z')
    await expect.poll(read).toMatchObject({ due_at: '2031-05-01T10:00:00.000Z', due_date: null })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('listitem').getByText('3 May 2031').waitFor()
    await screenshot(page, 'lists-due-phone')
  })

  it('is accessible in every look', async () => {
    const page = await site().open('/contacts')
    await inEveryLook(page, async name => {
      await page.getByText('Meridian Chemicals').first().waitFor()
      await expectAccessible(page, name)
      await screenshot(page, `contacts-${name}`)
    })
  })

  it('leads to other lists on a phone, which sorts and selects', async () => {
    const page = await site().open('/contacts', { phone: true })
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Deals' }).click()
    await page.waitForURL(/\/deals/)
    const rows = page.getByRole('list', { name: 'Deals' }).getByRole('listitem')
    await rows.first().waitFor()
    await page.getByRole('button', { name: 'Sort' }).click()
    const sorting = Promise.withResolvers<void>()
    // all of them: the list may be read again by a live update, too
    await page.route('**/api/deals/query', async route => {
      await sorting.promise
      // the page may have given the request up
      await route.continue().catch(() => {})
    })
    await page.getByRole('menuitem', { name: 'Amount' }).click()
    await page.waitForURL(/sort=amount/)
    // dimmed, until the new ones are read
    await page.locator('ul[aria-busy=true]').waitFor()
    sorting.resolve()
    // the rows of the order before are shown until those of the new one are read
    const { body: sorted } = await site().call('GET', '/api/deals?sort_by=amount&sort_order=asc&page_size=1')
    await rows.first().getByText(sorted.items[0].name, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Select rows' }).click()
    await rows.first().getByRole('checkbox').check()
    await page.getByText('1 selected').waitFor()
    await expectAccessible(page)
  })
})
