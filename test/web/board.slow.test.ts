/** The deal board, as a person works with it. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { inBrowser, inEveryLook, type Site } from '../support/browser.ts'
import { expectAccessible, screenshot } from '../support/page-problems.ts'

interface Column {
  stage: { id: string; name: string; type: string }
  count: number
  deals: { id: string; name: string; stage_id: string }[]
}

const columns = async (site: Site): Promise<Column[]> =>
  (await site.call('GET', '/api/deals/board?limit=50')).body.columns

const read = async (site: Site, id: string) => (await site.call('GET', `/api/deals/${id}`)).body

const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const card = (page: Page, stage: string, deal: string) =>
  column(page, stage).getByRole('link', { name: deal, exact: true })

/** A deal of the stage with this name. */
async function dealIn(site: Site, stage: string) {
  const found = (await columns(site)).find(one => one.stage.name === stage)?.deals[0]
  if (!found) throw new Error(`The demo has no deal in ${stage}`)
  return found
}

inBrowser('the board', site => {
  it('moves a card by dragging, changes the counts, and takes it back by Undo', async () => {
    const deal = await dealIn(site(), 'Proposal')
    const [before] = (await columns(site())).filter(({ stage }) => stage.name === 'Negotiation')
    const page = await site().open('/board')
    await card(page, 'Proposal', deal.name).waitFor()
    await page.getByRole('article', { name: deal.name }).dragTo(column(page, 'Negotiation'))
    await card(page, 'Negotiation', deal.name).waitFor()
    await page.getByText('Moved to Negotiation').waitFor()
    expect((await read(site(), deal.id)).stage_id).toBe(before?.stage.id)
    await column(page, 'Negotiation')
      .getByText(String((before?.count ?? 0) + 1), { exact: true })
      .waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    // the card goes back before the service has answered
    await card(page, 'Proposal', deal.name).waitFor()
    await expect.poll(async () => (await read(site(), deal.id)).stage_id).toBe(deal.stage_id)
  })

  it('moves a card by keyboard, which stays in focus', async () => {
    const deal = await dealIn(site(), 'Lead')
    const page = await site().open('/board', { expected: /status of 409/ })
    // a refused move is taken back with the message of the service
    const refuse = { status: 409, json: { detail: 'The stage is full' } }
    await page.route('**/move', route => route.fulfill(refuse), { times: 1 })
    await card(page, 'Lead', deal.name).focus()
    await page.keyboard.press('Shift+ArrowRight')
    await page.getByText('The stage is full').first().waitFor()
    await card(page, 'Lead', deal.name).focus()
    await page.keyboard.press('Shift+ArrowRight')
    await card(page, 'Qualified', deal.name).waitFor()
    await page.getByText('Moved to Qualified').waitFor()
    await page.waitForFunction(`document.activeElement.dataset.card === '${deal.id}'`)
    expect((await read(site(), deal.id)).stage.name).toBe('Qualified')
  })

  it('asks why a deal was lost', async () => {
    const deal = await dealIn(site(), 'Negotiation')
    const page = await site().open('/board', { expected: /status of 422/ })
    await page.getByRole('button', { name: `Move ${deal.name}` }).click()
    await page.getByRole('menuitem', { name: 'Lost' }).click()
    await page.getByRole('button', { name: 'No budget' }).click()
    // the dialog says why a reason is refused
    const detail = [{ loc: ['body', 'lost_reason'], msg: 'Value error, not this one', type: 'value_error' }]
    await page.route('**/move', route => route.fulfill({ status: 422, json: { detail } }), { times: 1 })
    await page.getByRole('button', { name: 'Mark as lost' }).click()
    await page.getByRole('dialog').getByText('Not this one').waitFor()
    await page.getByRole('button', { name: 'Mark as lost' }).click()
    await page.getByText('Moved to Lost').waitFor()
    await page.locator(`[data-card="${deal.id}"]:focus`).waitFor()
    expect(await read(site(), deal.id)).toMatchObject({ status: 'lost', lost_reason: 'No budget' })
  })

  it('shows the moves of others at once, and other pipelines', async () => {
    const deal = await dealIn(site(), 'Proposal')
    const [lead] = await columns(site())
    const page = await site().open('/board')
    await card(page, 'Proposal', deal.name).waitFor()
    await site().call('POST', `/api/deals/${deal.id}/move`, { stage_id: lead?.stage.id })
    await card(page, 'Lead', deal.name).waitFor()
    await page.getByRole('button', { name: 'New deal in Proposal' }).click()
    await page.getByRole('button', { name: 'Stage: Proposal' }).waitFor()
    await page.getByRole('button', { name: 'Owner: Ada Owner' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Pipeline' }).click()
    await page.getByRole('option', { name: 'Renewals' }).click()
    await column(page, 'Contacted').waitFor()
    expect(page.url()).toContain('pipeline=')
  })

  it('is accessible in every look', async () => {
    const page = await site().open('/board')
    await inEveryLook(page, async name => {
      await page.getByRole('article').first().waitFor()
      const lost = await column(page, 'Lost').boundingBox()
      // all columns are on the screen, unless it is a phone
      if (name !== 'phone') expect((lost?.x ?? 0) + (lost?.width ?? 0)).toBeLessThanOrEqual(1280)
      await expectAccessible(page, name)
      await screenshot(page, `board-${name}`)
    })
  })
})
