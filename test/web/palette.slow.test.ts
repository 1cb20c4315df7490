/** The command palette, by keyboard alone. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Indexer } from '../../src/features/search/indexer.ts'
import { beginHere } from '../../src/features/search/testing.ts'
import { inBrowser, inEveryLook } from '../support/browser.ts'
import { expectAccessible, screenshot } from '../support/page-problems.ts'
import { SLOW, waitFor } from '../support/process.ts'
import { engines } from '../support/service.ts'

inBrowser('the palette', site => {
  let indexer: Indexer
  let companyId: string
  beforeAll(async () => {
    indexer = await beginHere(engines.at(-1) ?? 'server')
    companyId = (await site().call('POST', '/api/companies', { name: 'Plover Canal' })).body.id
    const found = () => site().call('GET', '/api/search?q=Plover')
    await waitFor(async () => (await found()).body.total > 0)
  }, SLOW.timeout)
  afterAll(() => indexer.stop())

  it('answers, finds, goes and creates, and is accessible in every look', async () => {
    const page = await site().open('/today')
    await page.getByRole('region', { name: 'Today' }).waitFor()
    const field = page.getByPlaceholder('Find a record')
    const type = async (text: string) => {
      await page.keyboard.press('Control+k')
      await field.fill(text)
    }

    const answering = Promise.withResolvers<void>()
    await page.route('**/api/search/ask', route => answering.promise.then(() => route.continue()), {
      times: 1,
    })
    await type('Which open deals are the largest?')
    await page.getByRole('option', { name: /^Ask / }).waitFor()
    await page.keyboard.press('Enter')
    // no row that the answer would push down
    await page.getByRole('status').getByText('Looking it up').waitFor({ state: 'attached' })
    expect(await page.getByRole('option').count()).toBe(0)
    answering.resolve()
    await page.getByRole('region', { name: 'Answer' }).getByText('[1]').waitFor()
    await page.getByRole('option', { selected: true }).getByText('Deal', { exact: true }).waitFor()
    await inEveryLook(page, async look => {
      await expectAccessible(page, look)
      await screenshot(page, `palette-${look}`)
    })
    // on a phone
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/ask\/.+/)
    await page.getByRole('article', { name: 'Answer' }).getByText('Open as a list').waitFor()

    await type('Plover')
    await page.getByRole('option', { name: 'Plover Canal', selected: true }).waitFor()
    await inEveryLook(page, look => expectAccessible(page, look))
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/companies/${companyId}`)
    await type('import')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/imports')
    // Enter before the results are there opens the first of them, and does not ask a question
    const searching = Promise.withResolvers<void>()
    await page.route('**/api/search?*', route => searching.promise.then(() => route.continue()), { times: 1 })
    await type('Plover Canal')
    await page.keyboard.press('Enter')
    searching.resolve()
    await page.waitForURL(`**/companies/${companyId}`)
    await type('new prod')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Name' }).fill('Canal lock')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/products\/.+/)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Canal lock')
  })
})
