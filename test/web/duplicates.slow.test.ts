/** Duplicates: two records side by side, merged with the chosen values, and taken apart again. */
import { expect, it } from 'vitest'
import { inBrowser, inEveryLook } from '../support/browser.ts'
import { expectAccessible, screenshot } from '../support/page-problems.ts'

inBrowser('duplicates', site => {
  const create = async (values: object) => {
    const { body } = await site().call('POST', '/api/companies', { name: 'Osprey Locks', ...values })
    return body.id as string
  }
  const get = (id: string) => site().call('GET', `/api/companies/${id}`)

  it('merges two companies with a value of the other one, and undoes it', async () => {
    const field = { entity_type: 'company', name: 'Berth', field_type: 'text' }
    await site().call('POST', '/api/custom-fields', field)
    const older = await create({ city: 'Hull', industry: 'Ports', metadata: { berth: 'North' } })
    const newer = await create({ city: 'York', employee_count: 12, metadata: { berth: 'South' } })
    const namesake = await create({ city: 'Leeds' })
    const page = await site().open('/duplicates?kind=companies')
    await page.getByRole('button', { name: /Osprey Locks/ }).click()
    // the last one has only the same name
    await page.getByRole('columnheader').getByRole('checkbox').last().uncheck()
    await page
      .getByRole('radio', { name: /^Keep Osprey Locks/ })
      .nth(1)
      .check()
    const cities = page.getByRole('row', { name: /^City/ })
    await expectAccessible(page)
    await cities.getByText('Hull').click()
    await page
      .getByRole('row', { name: /^Berth/ })
      .getByText('North')
      .click()
    await page.getByRole('button', { name: 'Merge 2 of 3' }).click()
    await page.getByText('Merged 2 companies').waitFor()
    const [stays, goes] = (await get(newer)).status === 200 ? [newer, older] : [older, newer]
    expect((await get(stays)).body).toMatchObject({
      ...{ city: 'Hull', industry: 'Ports', employee_count: 12 },
      metadata: { berth: 'North' },
    })
    expect((await get(namesake)).body).toMatchObject({ city: 'Leeds' })
    expect((await get(goes)).status).toBe(404)

    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    await page.getByRole('button', { name: /Osprey Locks/ }).waitFor()
    expect((await get(newer)).body).toMatchObject({ city: 'York', industry: null })
    expect((await get(older)).body).toMatchObject({ city: 'Hull', employee_count: null })

    await page.getByRole('button', { name: /Osprey Locks/ }).click()
    await page.getByRole('button', { name: 'Not duplicates' }).click()
    await page.getByText('Not duplicates: they are not listed again').waitFor()
    await page.reload()
    await page.getByText('No duplicates among companies').waitFor()
  })

  it('is accessible in every look', async () => {
    const page = await site().open('/duplicates')
    const list = page.getByRole('list', { name: /Possible duplicates/ })
    await list.getByRole('button').first().click()
    await inEveryLook(page, async look => {
      await page.getByRole('button', { name: /^Merge \d/ }).waitFor()
      await expectAccessible(page, look)
      await screenshot(page, `duplicates-${look}`)
    })
    // on a phone, from the list
    await page.goto(new URL('/duplicates', page.url()).href)
    await list.getByRole('button').first().click()
    await page.getByRole('button', { name: /^Merge \d/ }).waitFor()
  })
})
