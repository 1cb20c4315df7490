/** The command palette, by keyboard alone. */
import { expect, it } from 'vitest'
import { inBrowser } from '../support/browser.ts'
import { expectAccessible, screenshot } from '../support/page-problems.ts'

inBrowser('the palette', site => {
  it.each([{}, { dark: true }, { phone: true }])('answers, finds, goes and creates (%j)', async look => {
    const name = Object.keys(look)[0] ?? 'light'
    const { body: company } = await site().call('POST', '/api/companies', { name: `Plover Canal ${name}` })
    const page = await site().open('/today', look)
    await page.getByRole('region', { name: 'Today' }).waitFor()
    const field = page.getByPlaceholder('Find a record')
    const type = async (text: string) => {
      await page.keyboard.press('Control+k')
      await field.fill(text)
    }

    await type('Which open deals are the largest?')
    await page.getByRole('option', { name: /^Ask / }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Answer' }).getByText('[1]').waitFor()
    await page.getByRole('option', { selected: true }).getByText('Deal', { exact: true }).waitFor()
    await expectAccessible(page)
    await screenshot(page, `palette-${name}`)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/ask\/.+/)
    await page.getByRole('article', { name: 'Answer' }).getByText('Open as a list').waitFor()

    await type(`Plover Canal ${name}`)
    await page.getByRole('option', { name: `Plover Canal ${name}` }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/companies/${company.id}`)
    await type('import')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/imports')
    await type('new prod')
    await page.keyboard.press('Enter')
    await page.getByLabel('Name').fill(`Canal lock ${name}`)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/products\/.+/)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Canal lock')
  })
})
