/** The page of a record, as a person works on it. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { inBrowser, inEveryLook, type Site } from '../support/browser.ts'
import { expectAccessible, screenshot } from '../support/page-problems.ts'
import { waitFor } from '../support/process.ts'

type Item = Record<string, unknown> & { id: string }

const first = async (site: Site, path: string): Promise<Item> => {
  const [item] = (await site.call('GET', path)).body.items
  return item
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

/** A field, and the text that a person types into it or the option that they choose. */
type Edit = readonly [label: string, input: { types: string } | { chooses: string }]

/** Every kind of field of a contact. */
const OWN: readonly Edit[] = [
  ['Job title', { types: 'Keeper' }],
  ['Company', { chooses: 'Oxbow Lakes' }],
  ['Status', { chooses: 'Inactive' }],
  ['Owner', { chooses: 'None' }],
  ['Birthday', { types: '1980-02-03' }],
  ['Website', { types: 'https://lighthouse.test' }],
  ['Do not contact', { chooses: 'Yes' }],
  ['Categories', { chooses: 'Lighthouses' }],
  ['Description', { types: 'Two lines\nof text' }],
]

/** Every type of custom field that can be edited in place. */
const CUSTOM: Readonly<Record<string, Edit[1]>> = {
  text: { types: 'some text' },
  long_text: { types: 'a longer text' },
  number: { types: '12.5' },
  currency: { types: '1200' },
  boolean: { chooses: 'Yes' },
  date: { types: '2031-02-03' },
  datetime: { types: '2031-02-03T10:30' },
  select: { chooses: 'One' },
  multi_select: { chooses: 'Two' },
  url: { types: 'https://weir.test' },
  email: { types: 'weir@people.test' },
  phone: { types: '123' },
  user: { chooses: 'Ada Owner' },
  reference: { types: 'some reference' },
  rating: { chooses: '★★★' },
}

inBrowser('the page of a record', site => {
  it('takes back a refused change of every kind of field, and has what was typed', async () => {
    await site().call('POST', '/api/companies', { name: 'Oxbow Lakes' })
    await site().call('POST', '/api/categories', { name: 'Lighthouses' })
    for (const field_type of Object.keys(CUSTOM)) {
      const options = field_type.endsWith('select') ? [{ value: 'One' }, { value: 'Two' }] : null
      const field = { entity_type: 'contact', name: `Own ${field_type}`, field_type, options }
      expect(await site().call('POST', '/api/custom-fields', field)).toMatchObject({ status: 201 })
    }
    const contact = await first(site(), '/api/contacts?page_size=1')
    const page = await site().open(`/contacts/${contact.id}`, { expected: /status of 422/ })
    let refusals = 0
    await page.route(`**/api/contacts/${contact.id}`, route => {
      if (route.request().method() !== 'PATCH') return route.continue()
      refusals++
      const detail = [{ loc: ['body', 'field'], msg: `refused ${refusals}`, type: 'value_error' }]
      return route.fulfill({ status: 422, json: { detail } })
    })
    await button(page, /empty fields$/).click()
    const edits = [...OWN, ...Object.entries(CUSTOM).map(([type, input]): Edit => [`Own ${type}`, input])]
    for (const [index, [label, input]] of edits.entries()) {
      const value = page
        .locator('dl > div')
        .filter({ has: page.locator('dt', { hasText: new RegExp(`^${label}$`) }) })
        .locator('dd')
      const before = await value.textContent()
      const editor = value.locator('input, textarea')
      await button(page, new RegExp(`^Edit ${label}$`, 'i')).click()
      if ('types' in input) {
        await editor.fill(input.types)
        await editor.press('Control+Enter')
      } else {
        await page.getByRole('option', { name: input.chooses, exact: true }).click()
        // closes the choice of several
        await page.keyboard.press('Escape')
      }
      // the request may be under way, so the count of refusals can still be that of the field before
      await page
        .getByText(`Field: Refused ${index + 1}`, { exact: true })
        .first()
        .waitFor()
      await expect.poll(() => value.textContent(), { message: label }).toBe(before)
      await button(page, 'Edit again').click()
      if ('types' in input) expect(await editor.inputValue(), label).toBe(input.types)
      else await page.getByRole('option', { name: input.chooses, exact: true }).waitFor()
      await page.keyboard.press('Escape')
    }
    expect(refusals).toBe(edits.length)

    // half a date is no date: the field keeps its value, and nothing is sent
    await button(page, /^Edit own date$/).click()
    await page.keyboard.type('03')
    await page.keyboard.press('Enter')
    await page.getByText('Write the whole date, or nothing').waitFor()
    expect(refusals).toBe(edits.length)

    await page.route('**/api/favorites/toggle', route =>
      route.fulfill({ status: 422, json: { detail: 'No more stars' } }),
    )
    await button(page, 'Star').click()
    await page.getByText('No more stars').first().waitFor()
    expect(await button(page, 'Star').getAttribute('aria-pressed')).toBe('false')
  })

  it('changes a fact in its place, and takes it back by Undo', async () => {
    const company = await first(site(), '/api/companies?page_size=1')
    const city = async () => (await site().call('GET', `/api/companies/${company.id}`)).body.city
    const page = await site().open(`/companies/${company.id}`)
    await button(page, 'Edit city').focus()
    await page.keyboard.press('Enter')
    const name = 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch'
    await page.getByRole('textbox', { name: 'City' }).fill(name)
    await page.keyboard.press('Enter')
    await page.getByText('Changed city').first().waitFor()
    expect(await city()).toBe(name)
    // the whole of it can be read
    const fact = page.locator('dd > span').filter({ hasText: name })
    expect(await fact.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    await button(page, 'Undo').click()
    await page.getByText('Undone').waitFor()
    expect(await city()).toBe(company.city)

    // what somebody else has written meanwhile is not replaced, and what was typed is not lost
    await button(page, 'Edit city').click()
    await page.getByRole('textbox', { name: 'City' }).fill('Wels')
    await site().call('PATCH', `/api/companies/${company.id}`, { city: 'Linz' })
    await page.getByRole('textbox', { name: 'City' }).press('Enter')
    await page.getByText('Ada Owner changed city meanwhile').first().waitFor()
    expect(await city()).toBe('Linz')
    await page.locator('dd > span').filter({ hasText: 'Linz' }).waitFor()
    await button(page, 'Edit again').click()
    expect(await page.getByRole('textbox', { name: 'City' }).inputValue()).toBe('Wels')
    await page.keyboard.press('Escape')

    // and its tags
    const tags = async () =>
      (await site().call('GET', `/api/tags/records/company/${company.id}`)).body.tag_ids.map(
        ({ name }: { name: string }) => name,
      )
    const before = await tags()
    await button(page, 'Add tags').click()
    await page.getByRole('combobox', { name: 'Tags' }).fill('Lightship')
    await page.getByRole('option', { name: 'Create “Lightship”' }).click()
    await page.getByText('Tagged with Lightship').waitFor()
    // in the timeline, too, without a reload
    await page.getByText('Ada Owner added the tag Lightship').waitFor()
    await page.keyboard.press('Escape')
    expect(await tags()).toContain('Lightship')
    await button(page, 'Remove the tag Lightship').click()
    await page.getByText('Removed the tag Lightship').first().waitFor()
    expect(await tags()).toEqual(before)
  })

  it('has every address of a contact, the owner and parent of a company, and every company of a deal', async () => {
    const read = async (path: string) => (await site().call('GET', path)).body
    const create = async (path: string, body: object): Promise<Item> =>
      (await site().call('POST', path, body)).body
    const contact = await create('/api/contacts', { first_name: 'Wera', email: 'wera@weir.test' })
    const page = await site().open(`/contacts/${contact.id}`, { expected: /status of 422/ })
    await button(page, 'Edit emails').click()
    const emails = page.getByRole('group', { name: 'Emails' })
    await emails.getByRole('button', { name: 'Add an email' }).click()
    await emails.getByRole('textbox', { name: 'Email 2' }).fill('no address')
    await emails.getByRole('textbox', { name: 'Email 2' }).press('Enter')
    // refused, and what was typed is there again
    await button(page, 'Edit again').click()
    expect(await emails.getByRole('textbox', { name: 'Email 2' }).inputValue()).toBe('no address')
    await emails.getByRole('textbox', { name: 'Email 2' }).fill('wera@home.test')
    await page.getByRole('combobox', { name: 'Type of email 2: Work' }).click()
    await page.getByRole('option', { name: 'Home' }).click()
    await emails.getByRole('button', { name: 'Make email 2 the primary one' }).click()
    await screenshot(page, 'record-addresses')
    await emails.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Changed emails').first().waitFor()
    const one = { email: 'wera@weir.test', type: 'work', is_primary: false }
    const other = { email: 'wera@home.test', type: 'home', is_primary: true }
    await expect
      .poll(() => read(`/api/contacts/${contact.id}`))
      .toMatchObject({ email: 'wera@home.test', emails: [one, other] })
    expect(await page.getByRole('link', { name: 'wera@weir.test' }).getAttribute('href')).toBe(
      'mailto:wera@weir.test',
    )
    await page.keyboard.press('Control+z')
    await expect.poll(async () => (await read(`/api/contacts/${contact.id}`)).email).toBe('wera@weir.test')
    await button(page, 'Edit phones').click()
    await page.getByRole('textbox', { name: 'Phone 1' }).fill('+43 1 234-567')
    await page.getByRole('textbox', { name: 'Phone 1' }).press('Enter')
    await page.getByText('Changed phones').first().waitFor()
    await page.getByText('phones empty → +43 1 234-567 (work, primary)').waitFor()
    const call = page.getByRole('link', { name: '+43 1 234-567' })
    expect(await call.getAttribute('href')).toBe('tel:+431234567')

    await create('/api/companies', { name: 'Weir Holding' })
    const company = await create('/api/companies', { name: 'Weir Branch' })
    await page.goto(new URL(`/companies/${company.id}`, page.url()).href)
    await button(page, 'Edit parent company').click()
    await page.getByRole('combobox', { name: 'Parent company' }).fill('Weir Holding')
    await page.getByRole('option', { name: 'Weir Holding' }).click()
    await page.getByRole('link', { name: 'Weir Holding' }).waitFor()
    await button(page, 'Edit owner').click()
    await page.getByRole('option', { name: 'Ada Owner' }).click()
    await page.getByText('Changed owner').first().waitFor()
    // also in the list, with their filters
    const search = 'cols=name,owner_id,parent_id&sort=parent_id'
    await page.goto(new URL(`/companies?${search}&q=Weir%20Branch`, page.url()).href)
    await page.getByRole('gridcell').getByRole('link', { name: 'Weir Holding' }).waitFor()
    await button(page, 'Filter').click()
    await page.getByRole('option', { name: 'Parent company' }).click()
    await page.getByRole('combobox', { name: 'Parent company', exact: true }).fill('Weir Holding')
    await page.getByRole('option', { name: 'Weir Holding' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('gridcell').getByRole('link', { name: 'Weir Holding' }).waitFor()
    await screenshot(page, 'companies-parent')

    const { items } = await read('/api/companies?search=Weir')
    const ids = (items as Item[]).map(({ id }) => id)
    const deal = await create('/api/deals', { name: 'Weir gate', associated_company_ids: ids })
    await page.goto(new URL(`/deals/${deal.id}`, page.url()).href)
    const companies = page.getByRole('region', { name: 'Companies' })
    for (const name of ['Weir Holding', 'Weir Branch']) await companies.getByRole('link', { name }).waitFor()
    await companies.getByRole('button').first().click()
    await page.getByRole('option', { name: 'Weir Branch' }).click()
    await page.keyboard.press('Escape')
    await page.getByText('Changed companies').first().waitFor()
    expect((await read(`/api/deals/${deal.id}`)).associated_company_ids).toMatchObject([
      { name: 'Weir Holding' },
    ])
    // the other tests take the latest ones of the demo data
    await site().call('DELETE', `/api/deals/${deal.id}`)
    await site().call('DELETE', `/api/contacts/${contact.id}`)
  })

  it('adds, pins and edits notes, and shows those of others at once', async () => {
    const contact = await first(site(), '/api/contacts?page_size=1')
    const page = await site().open(`/contacts/${contact.id}?tab=notes`, {
      expected: /status of (422|500)/,
    })
    const problem = [{ loc: ['body', 'content'], msg: 'Value error, not this note', type: 'value_error' }]
    const refuse = { status: 422, json: { detail: problem } }
    await page.route('**/api/notes', route => route.fulfill(refuse), { times: 1 })
    await page.getByLabel('New note').fill('Prefers to be called at the lighthouse.')
    await page.keyboard.press('Control+Enter')
    // the reason is at the field, and the text stays
    await page.locator('[data-field=content]').getByText('Not this note').waitFor()
    await page.getByLabel('New note').press('Control+Enter')
    const card = page.getByRole('article').filter({ hasText: 'at the lighthouse' }).filter({ visible: true })
    await card.getByRole('button', { name: 'Pin', exact: true }).click()
    await card.getByRole('button', { name: 'Unpin' }).waitFor()
    await card.getByRole('button', { name: /^More/ }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.route('**/api/notes/*', route => route.fulfill({ status: 422, json: { detail: 'Too early' } }))
    await page.getByLabel('Text of the note').fill('Prefers the afternoon.')
    await button(page, 'Save').click()
    await page.getByRole('article').getByText('Too early').waitFor()
    expect(await page.getByLabel('Text of the note').inputValue()).toBe('Prefers the afternoon.')
    await page.unroute('**/api/notes/*')
    await button(page, 'Save').click()
    await page.getByText('Changed note').first().waitFor()
    const notes = (await site().call('GET', `/api/notes?contact_id=${contact.id}&is_pinned=true`)).body
    expect(notes.items).toMatchObject([{ content: 'Prefers the afternoon.', is_pinned: true }])
    const content =
      'Sent from **elsewhere**\n- by [mail](https://mail.test)\n- by [script](javascript:alert(1))'
    const note = { content, entity_type: 'contact', entity_id: contact.id }
    await site().call('POST', '/api/notes', note)
    const text = page.getByRole('article').filter({ hasText: 'Sent from elsewhere' })
    await text.getByText('elsewhere', { exact: true }).and(page.locator('strong')).waitFor()
    await text.getByRole('listitem').getByRole('link', { name: 'mail' }).waitFor()
    expect(await text.getByRole('link').count()).toBe(1)

    // a record that cannot be read again stays on the screen, with what was typed
    const failing = `**/api/contacts/${contact.id}`
    await page.getByLabel('New note').fill('Half a sentence')
    await page.route(failing, route => route.fulfill({ status: 500, json: { detail: 'Out of order' } }))
    await site().call('PATCH', `/api/contacts/${contact.id}`, { job_title: 'Keeper' })
    await page.getByText('Not everything here is up to date: Out of order').waitFor()
    expect(await page.getByLabel('New note').inputValue()).toBe('Half a sentence')
    const again = page.waitForRequest(request => request.url().endsWith(`/api/contacts/${contact.id}`))
    await button(page, 'Try again').click()
    await again
    await page.unroute(failing)
    await site().call('PATCH', `/api/contacts/${contact.id}`, { job_title: 'Keeper of the lighthouse' })
    await page.getByText('Keeper of the lighthouse').first().waitFor()
    await page.getByText('Not everything here is up to date').waitFor({ state: 'detached' })

    // it survives another tab of the record and a reload, until it is discarded
    await page.getByRole('link', { name: 'Files' }).click()
    await page.reload()
    await page.getByRole('link', { name: 'Timeline' }).click()
    await page.getByText('Draft, stored in this browser').waitFor()
    expect(await page.getByLabel('New note').inputValue()).toBe('Half a sentence')
    await button(page, 'Discard').click()
    await page.getByRole('link', { name: 'Notes' }).click()
    await page.getByText('Sent from elsewhere').waitFor()
    expect(await page.getByLabel('New note').inputValue()).toBe('')
  })

  it('plans an activity by keyboard and marks it as done', async () => {
    const deal = await first(site(), '/api/deals?page_size=1&status=open')
    const page = await site().open(`/deals/${deal.id}`, { expected: /status of 422/ })
    await page.getByRole('region', { name: 'Next' }).waitFor()
    await page.keyboard.press('a')
    await page.getByLabel('New activity').fill('Send the revised offer')
    const problem = [{ loc: ['body', 'subject'], msg: 'Value error, not this', type: 'value_error' }]
    const refuse = { status: 422, json: { detail: problem } }
    await page.route('**/api/activities', route => route.fulfill(refuse), { times: 1 })
    await page.getByLabel('New activity').press('Enter')
    await page.locator('[data-field=subject]').getByText('Not this').waitFor()
    await page.getByLabel('New activity').press('Enter')
    const address = await page.getByRole('link', { name: 'Send the revised offer' }).getAttribute('href')
    await page.getByRole('checkbox', { name: 'Done: Send the revised offer' }).click()
    await page.getByText('Completed Send the revised offer').waitFor()
    const { body } = await site().call('GET', `/api${address}`)
    expect(body).toMatchObject({ status: 'completed', deal_ids: [{ id: deal.id }] })
  })

  it('moves a deal to a lost stage with a reason', async () => {
    const deal = await first(site(), '/api/deals?page_size=1&status=open')
    const page = await site().open(`/deals/${deal.id}`)
    await page.getByRole('group', { name: 'Stage' }).getByRole('button').last().click()
    await button(page, 'Competitor').click()
    await button(page, 'Mark as lost').click()
    await button(page, 'Undo').waitFor()
    const read = async () => (await site().call('GET', `/api/deals/${deal.id}`)).body
    expect(await read()).toMatchObject({ status: 'lost', lost_reason: 'Competitor' })
    await button(page, 'Undo').click()
    await page.getByText('Undone').waitFor()
    expect(await read()).toMatchObject({ status: 'open', stage_id: deal.stage_id })
  })

  it('changes line items, and the amount follows', async () => {
    const deals = (await site().call('GET', '/api/deals?page_size=100&status=open')).body.items as Item[]
    const deal = deals.find(({ amount_source }) => amount_source === 'line_items')
    const page = await site().open(`/deals/${deal?.id}?tab=items`, { expected: /status of 422/ })
    const quantity = page.getByLabel(/^quantity of/).first()
    await quantity.fill('50')
    await quantity.press('Enter')
    await page.getByText('Changed line item').first().waitFor()
    const { body } = await site().call('GET', `/api/deals/${deal?.id}`)
    expect(body.amount).not.toBe(deal?.amount)
    await page
      .getByLabel('Facts and related records')
      .getByText(body.amount.toLocaleString('en-GB'))
      .first()
      .waitFor()
    // a refused value is taken back
    await quantity.fill('-1')
    await quantity.press('Enter')
    await page
      .getByText(/^Quantity: /)
      .first()
      .waitFor()
    await expect.poll(() => quantity.inputValue()).toBe('50')
    // an amount that was set by hand stays, and the page says why
    await site().call('PATCH', `/api/deals/${deal?.id}`, { amount: 5 })
    await page.getByText('The amount of the deal was set by hand.').waitFor()
  })

  it('asks for the currency of an amount, and for the price of a product in another one', async () => {
    const currencyOf = async () => (await site().call('GET', `/api/deals/${deal.id}`)).body.currency
    const name = 'Buoy in euros'
    const page = await site().open('/deals')
    await button(page, 'New deal').click()
    const dialog = page.getByRole('dialog', { name: 'New deal' })
    await dialog.getByLabel('Name').fill(name)
    await button(page, 'Currency: USD').waitFor()
    await dialog.getByLabel('Amount').fill('500 apples')
    await dialog.getByLabel('Name').focus()
    await dialog.getByText('“apples” is no currency').waitFor()
    await dialog.getByLabel('Amount').fill('€ 500')
    await button(page, 'Currency: EUR').waitFor()
    await screenshot(page, 'new-deal-currency')
    await button(page, 'Create').click()
    await page.waitForURL(/deals\/[0-9a-f-]{36}/)
    const deal = await first(site(), `/api/deals?search=${encodeURIComponent(name)}`)
    expect(deal).toMatchObject({ amount: 500, currency: 'EUR' })

    // from a list, where nothing else can be typed
    await button(page, 'Edit currency').click()
    await page.getByRole('combobox', { name: 'Currency' }).fill('british pound')
    await page.getByRole('option', { name: 'GBP – ' }).click()
    await page.getByText('Changed currency').first().waitFor()
    await expect.poll(currencyOf).toBe('GBP')

    // an amount with another sign sets both, and Undo takes both back
    await button(page, 'Edit amount').click()
    const amount = page.getByRole('textbox', { name: 'Amount' })
    await amount.fill('500 bananas')
    await amount.press('Enter')
    await page.getByText('“bananas” is no currency').first().waitFor()
    await amount.fill('CHF 500')
    await amount.press('Enter')
    await page.getByText('Changed amount').first().waitFor()
    await expect.poll(currencyOf).toBe('CHF')
    await page.keyboard.press('Control+z')
    await expect.poll(currencyOf).toBe('GBP')

    await site().call('POST', '/api/products', { name: 'Zinc anode', unit_price: 20, currency: 'USD' })
    await page.getByRole('link', { name: 'Line items' }).click()
    await button(page, 'Add product').click()
    await page.getByRole('combobox', { name: 'Product' }).fill('Zinc anode')
    await page.getByRole('option', { name: 'Zinc anode' }).click()
    const price = page.getByLabel('Unit price in GBP')
    await page.getByText('The product costs US$20, and the deal is in GBP.').waitFor()
    await screenshot(page, 'line-item-price')
    await price.fill('$20')
    await price.press('Enter')
    await page.getByText('The deal is in GBP: write the price in GBP').waitFor()
    await price.fill('17')
    await price.press('Enter')
    await page.getByText('Added line item').first().waitFor()
    const lines = async () => (await site().call('GET', `/api/deals/${deal.id}/line-items`)).body
    await expect.poll(lines).toMatchObject([{ name: 'Zinc anode', unit_price: 17, currency: 'GBP' }])
    // the other tests take the latest deal of the demo data
    await site().call('DELETE', `/api/deals/${deal.id}`)
  })

  it('uploads a file and downloads it', async () => {
    const product = await first(site(), '/api/products?page_size=1')
    const page = await site().open(`/products/${product.id}?tab=files`)
    await button(page, 'Upload files').waitFor()
    const file = { name: 'offer.txt', mimeType: 'text/plain', buffer: Buffer.from('Twelve probes') }
    await page.getByLabel('Files to upload').setInputFiles(file)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Download offer.txt').click(),
    ])
    expect(download.suggestedFilename()).toBe('offer.txt')
  })

  it('stars records and goes through the list by keyboard', async () => {
    const page = await site().open('/contacts?sort=-full_name')
    await page.getByRole('row').nth(2).getByRole('link').first().click()
    await page.getByText(/^2 of /).waitFor()
    await page.keyboard.press('s')
    await button(page, 'Remove the star').waitFor()
    const id = page.url().split('/').at(-1)
    await waitFor(async () => (await site().call('GET', `/api/contacts/${id}`)).body.is_favorite === true)
    await page.keyboard.press('j')
    await page.getByText(/^3 of /).waitFor()
    // the order of the list remains after a reload
    await page.reload()
    await page.getByText(/^3 of /).waitFor()
    await page.keyboard.press('k')
    await page.getByText(/^2 of /).waitFor()
    expect(page.url()).toContain(id)
    // the parts of a record are no entries of the history: the way back is to the list, where it was left
    await page.getByRole('link', { name: 'Notes' }).click()
    await page.waitForURL(/tab=notes/)
    await page.getByRole('link', { name: 'Files' }).click()
    await page.waitForURL(/tab=files/)
    await page.goBack()
    await page.waitForURL(/\/contacts\?sort=-full_name/)
    await page.locator('[data-cell="1:0"]:focus-within').waitFor()
    await page.goForward()
    await page.getByRole('link', { name: 'in Contacts' }).click()
    await page.waitForURL(/sort=-full_name/)
  })

  it('is accessible in every look', async () => {
    const deal = await first(site(), '/api/deals?page_size=1&status=open')
    const page = await site().open(`/deals/${deal.id}?tab=timeline`)
    await inEveryLook(page, async name => {
      await page.getByRole('listitem').first().waitFor()
      await expectAccessible(page, name)
      await screenshot(page, `record-${name}`)
    })
    await page.getByRole('link', { name: 'Line items' }).click()
    await inEveryLook(page, async name => {
      await button(page, 'Add product').waitFor()
      await expectAccessible(page, name)
    })
  })
})
