/** The dashboard: plots that open the list behind them, and change as deals do. */
import { expect, it } from 'vitest'
import { inBrowser, inEveryLook } from '../support/browser.ts'
import { expectAccessible, screenshot } from '../support/page-problems.ts'

inBrowser('the dashboard', site => {
  it('opens the deals of a stage and of a month by keyboard, and follows a deal that is won', async () => {
    const page = await site().open('/dashboard')
    const stage = page.getByRole('link', { name: /^Negotiation: .* in \d+ deals?,/ })
    const count = Number(/in (\d+) deals?/.exec(await stage.innerText())?.[1])
    await stage.focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/deals\?.*stage_id/)
    await page.getByText(String(count), { exact: true }).first().waitFor()

    await page.goBack()
    const won = page.getByRole('list', { name: 'Won by month' }).getByRole('link', { name: /won in [1-9]/ })
    await won.first().focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/deals\?.*closed_at/)

    await page.goBack()
    const today = page.getByRole('link', { name: /^Deals won: \d+$/ })
    const before = Number(/: (\d+)/.exec(await today.innerText())?.[1])
    const { body: pipelines } = await site().call('GET', '/api/deals/pipelines')
    const { id: stage_id } = pipelines.items[0].stages.find(({ type }: { type: string }) => type === 'won')
    await site().call('POST', '/api/deals', { name: 'Lock gate sensors', amount: 900, stage_id })
    await page.getByRole('link', { name: `Deals won: ${before + 1}` }).waitFor()
    expect(before).not.toBeNaN()
  })

  it('says which currency has no deals to show', async () => {
    await site().call('POST', '/api/deals', { name: 'Weir in pounds', amount: 70, currency: 'GBP' })
    const page = await site().open('/dashboard?currency=GBP')
    await page.getByText('No open deal in GBP is expected to close in the next six months.').waitFor()
    await page.getByText('No deal in GBP was won').waitFor()
  })

  it('is accessible in every look', async () => {
    const page = await site().open('/dashboard')
    // no zeros where the figures are not known yet
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    await page.route('**/api/deals/forecast*', async route => {
      await held
      await route.continue()
    })
    await page.reload()
    const figures = page.getByRole('list', { name: 'Key figures' })
    await figures.waitFor()
    expect(await figures.innerText()).not.toMatch(/\d/)
    release()
    await inEveryLook(page, async look => {
      await page.getByRole('list', { name: 'Activities by person' }).waitFor()
      await page.getByRole('list', { name: 'Forecast by month' }).waitFor()
      await expectAccessible(page, look)
      await screenshot(page, `dashboard-${look}`)
    })
  })
})
