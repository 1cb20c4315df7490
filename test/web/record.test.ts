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

inBrowser('the page of a record', site => {
  it('changes a fact in its place, and takes it back by Undo', async () => {
    const company = await first(site(), '/api/companies?page_size=1')
    const city = async () => (await site().call('GET', `/api/companies/${company.id}`)).body.city
    const page = await site().open(`/companies/${company.id}`)
    await button(page, 'Edit city').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'City' }).fill('Utrecht')
    await page.keyboard.press('Enter')
    await page.getByText('Changed city').waitFor()
    expect(await city()).toBe('Utrecht')
    await button(page, 'Undo').click()
    await page.getByText('Undone').waitFor()
    expect(await city()).toBe(company.city)
  })

  it('adds, pins and edits notes, and shows those of others at once', async () => {
    const contact = await first(site(), '/api/contacts?page_size=1')
    const page = await site().open(`/contacts/${contact.id}?tab=notes`)
    await page.getByLabel('New note').fill('Prefers to be called at the lighthouse.')
    await page.keyboard.press('Control+Enter')
    const card = page.getByRole('article').filter({ hasText: 'at the lighthouse' }).filter({ visible: true })
    await card.getByRole('button', { name: 'Pin', exact: true }).click()
    await card.getByRole('button', { name: 'Unpin' }).waitFor()
    await card.getByRole('button', { name: /^More/ }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByLabel('Text of the note').fill('Prefers the afternoon.')
    await button(page, 'Save').click()
    await page.getByText('Changed note').waitFor()
    const notes = (await site().call('GET', `/api/notes?contact_id=${contact.id}&is_pinned=true`)).body
    expect(notes.items).toMatchObject([{ content: 'Prefers the afternoon.', is_pinned: true }])
    const note = { content: 'Sent from elsewhere', entity_type: 'contact', entity_id: contact.id }
    await site().call('POST', '/api/notes', note)
    await page.getByText('Sent from elsewhere').waitFor()
  })

  it('plans an activity by keyboard and marks it as done', async () => {
    const deal = await first(site(), '/api/deals?page_size=1&status=open')
    const page = await site().open(`/deals/${deal.id}`)
    await page.getByRole('region', { name: 'Next' }).waitFor()
    await page.keyboard.press('a')
    await page.getByLabel('New activity').fill('Send the revised offer')
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
    await page.getByText('Changed line item').waitFor()
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
      .getByText(/^quantity: /)
      .first()
      .waitFor()
    await expect.poll(() => quantity.inputValue()).toBe('50')
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
    const page = await site().open('/contacts')
    await page.getByRole('row').nth(2).getByRole('link').first().click()
    await page.getByText(/^2 of /).waitFor()
    await page.keyboard.press('s')
    await button(page, 'Remove the star').waitFor()
    const id = page.url().split('/').at(-1)
    await waitFor(async () => (await site().call('GET', `/api/contacts/${id}`)).body.is_favorite === true)
    await page.keyboard.press('j')
    await page.getByText(/^3 of /).waitFor()
    await page.keyboard.press('k')
    await page.getByText(/^2 of /).waitFor()
    expect(page.url()).toContain(id)
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
