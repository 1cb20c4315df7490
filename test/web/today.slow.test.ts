/** Today: what is to be done, done with one key, and the week. */
import { expect, it } from 'vitest'
import { inBrowser, inEveryLook, signIn } from '../support/browser.ts'
import { expectAccessible, screenshot } from '../support/page-problems.ts'
import { waitFor } from '../support/process.ts'

/** Noon of a day relative to the present one, in UTC as in the browser of the tests. */
function noon(days: number): string {
  const day = new Date()
  day.setUTCDate(day.getUTCDate() + days)
  return `${day.toISOString().slice(0, 10)}T12:00:00.000Z`
}

inBrowser('today', site => {
  const plan = async (subject: string, due_at: string) => {
    const assignee_id = site().userId
    const { body } = await site().call('POST', '/api/activities', {
      type: 'task',
      subject,
      due_at,
      assignee_id,
    })
    return body.id as string
  }
  const statusOf = async (id: string) => (await site().call('GET', `/api/activities/${id}`)).body.status

  it('marks an overdue activity as done with one key, and undoes it', async () => {
    // older than everything in the demo, so that it is the first row
    const id = await plan('Return the borrowed probe', noon(-200))
    const page = await site().open('/today')
    const overdue = page.getByRole('region', { name: 'Overdue' })
    const row = overdue.getByRole('link', { name: 'Return the borrowed probe' })
    await row.waitFor()
    // no row has the focus yet
    await page.keyboard.press('d')
    await page.keyboard.press('ArrowDown')
    expect(await row.evaluate(link => link.matches(':focus'))).toBe(true)
    await page.keyboard.press('d')
    await row.waitFor({ state: 'detached' })
    await waitFor(async () => (await statusOf(id)) === 'completed')
    await page.getByRole('button', { name: 'Undo' }).click()
    await row.waitFor()
    expect(await statusOf(id)).toBe('planned')
  })

  it('shows at once what another person plans', async () => {
    const page = await site().open('/today')
    await page.getByRole('region', { name: 'Today' }).waitFor()
    await plan('Call the harbour office', noon(3))
    const next = page.getByRole('region', { name: 'Next 7 days' })
    await next.getByRole('link', { name: 'Call the harbour office' }).waitFor()
  })

  it('shows at once what another person opens again', async () => {
    const id = await plan('Collect the old buoy', noon(-199))
    await site().call('PATCH', `/api/activities/${id}`, { status: 'completed' })
    const page = await site().open('/today')
    await page.getByRole('region', { name: 'Today' }).waitFor()
    await plan('Paint the new buoy', noon(2))
    await page.getByRole('link', { name: 'Paint the new buoy' }).waitFor()
    await site().call('PATCH', `/api/activities/${id}`, { status: 'planned' })
    const overdue = page.getByRole('region', { name: 'Overdue' })
    await overdue.getByRole('link', { name: 'Collect the old buoy' }).waitFor()
  })

  it('shows what was planned while its stream of events was being opened', async () => {
    const page = await site().visit('/sign-in?next=/today')
    const planned = Promise.withResolvers<void>()
    await page.route('**/api/events/stream', async route => {
      await planned.promise
      await route.fallback()
    })
    await signIn(page, site())
    const next = page.getByRole('region', { name: 'Next 7 days' })
    await next.waitFor()
    await page.getByRole('heading', { name: 'Today', level: 1 }).and(page.locator(':focus')).waitFor()
    await plan('Order the spare seals', noon(3))
    planned.resolve()
    await next.getByRole('link', { name: 'Order the spare seals' }).waitFor()
  })

  it('shows the week, and the weeks around it', async () => {
    await plan('Inspect the weir', noon(7))
    const page = await site().open('/today?view=week')
    await page.locator('[aria-current="date"]').waitFor()
    await page.getByRole('button', { name: 'Next week' }).click()
    await page.getByRole('link', { name: 'Inspect the weir' }).waitFor()
    await page.waitForURL(/week=\d{4}-\d\d-\d\d/)
    await page.getByRole('button', { name: 'This week' }).click()
    await page.locator('[aria-current="date"]').waitFor()
    await page.getByRole('radio', { name: 'List' }).click()
    const today = page.getByRole('region', { name: 'Today' })
    await today.waitFor()
    // a new one is the person's own, for today
    await page.keyboard.press('c')
    await page.getByLabel('Subject').fill('Oil the sluice')
    await page.getByLabel('Due time').fill('23:59')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    // overdue in the last minute of the day
    const due = page.getByRole('region', { name: /^(Today|Overdue)$/ })
    await due.getByRole('link', { name: 'Oil the sluice' }).waitFor()
    const { body } = await site().call('GET', '/api/activities?search=Oil%20the%20sluice')
    expect(body.items).toMatchObject([{ due_date: null }])
    const at = new Date(body.items[0].due_at)
    expect([at.getHours(), at.getMinutes()]).toEqual([23, 59])
  })

  it('is accessible in every look', async () => {
    const page = await site().open('/today')
    await inEveryLook(page, async name => {
      await page.getByRole('region', { name: 'Today' }).waitFor()
      await expectAccessible(page, name)
      await screenshot(page, `today-${name}`)
    })
    await page.getByRole('radio', { name: 'Week' }).click()
    await inEveryLook(page, async name => {
      await page.locator('[aria-current="date"]').waitFor()
      await expectAccessible(page, name)
      await screenshot(page, `today-week-${name}`)
    })
  })
})
