/** The settings: what a person and the owner of an account set up, section by section. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { inBrowser, inEveryLook } from '../support/browser.ts'
import { expectAccessible, screenshot } from '../support/page-problems.ts'
import { waitFor } from '../support/process.ts'
import { request } from '../support/service.ts'

const goTo = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name }).click()

const switchTo = (page: Page, account: string) =>
  page
    .getByRole('list', { name: 'Accounts' })
    .getByRole('listitem')
    .filter({ hasText: account })
    .getByRole('button', { name: 'Switch to it' })
    .click()

inBrowser('the settings', site => {
  it('changes the profile, ends a session, and refuses a wrong password', async () => {
    const { url, email, password } = site()
    const body = { email, password }
    const { access_token } = (await request(`${url}/api/auth/login`, 'POST', body, {})).body
    const authorization = { authorization: `Bearer ${access_token}` }
    const page = await site().open('/settings/members', { expected: /status of 4\d\d/ })
    // the list is in the cache with the former name
    await page.getByRole('list', { name: 'Members' }).waitFor()
    await goTo(page, 'Profile')
    await page.getByLabel('Name').fill('Ada Harbour')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved your profile').waitFor()

    await page.getByLabel('Current password').fill('not the password')
    await page.getByLabel('New password').fill('another long password')
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page
      .getByRole('region', { name: 'Password' })
      .getByText('This is not your current password', { exact: true })
      .waitFor()

    const sessions = page.getByRole('list', { name: 'Sessions' })
    await sessions.getByText('This browser').waitFor()
    // every other one: the list has the account's first sign-in, too
    const others = sessions.getByRole('button', { name: 'Sign out' })
    for (let left = await others.count(); left > 0; left--) {
      await others.first().click()
      await waitFor(async () => (await others.count()) < left)
    }
    await page
      .getByText(/^Signed out /)
      .first()
      .waitFor()
    await waitFor(
      async () => (await request(`${url}/api/auth/me`, 'GET', undefined, authorization)).status === 401,
    )

    await goTo(page, 'Members')
    await page.getByRole('list', { name: 'Members' }).getByText('Ada Harbour').waitFor()
  })

  it('invites a colleague, who accepts and gets another role', async () => {
    const page = await site().open('/settings/members')
    await page.getByRole('button', { name: 'Invite' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill('bo@people.test')
    await dialog.getByRole('button', { name: 'Invite' }).click()
    const link = await dialog.getByText('/invitation#token=').innerText()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('list', { name: 'Invitations' }).getByText('bo@people.test').waitFor()

    const { pathname, hash } = new URL(link)
    const guest = await site().visit(pathname + hash)
    await guest.getByLabel('Your name').fill('Bo Mill')
    await guest.getByLabel('Password').fill('a long enough password')
    await guest.getByRole('button').first().click()
    await guest.waitForURL(address => address.pathname !== '/invitation')

    await page.reload()
    await page.getByRole('combobox', { name: 'Role of Bo Mill' }).click()
    await page.getByRole('option', { name: 'Viewer' }).click()
    await page.getByText('Bo Mill is now viewer').waitFor()
    const members = await site().call('GET', `/api/accounts/${site().accountId}/members?role=viewer`)
    expect(members.body.items).toMatchObject([{ name: 'Bo Mill' }])
  })

  it('changes a pipeline, fields and labels, each with Undo, and lists all of it in the audit', async () => {
    const page = await site().open('/settings/pipelines', { expected: /status of 422/ })
    const sales = page.getByRole('region', { name: 'Sales pipeline', exact: true })
    const name = sales.getByLabel('Name of the stage').first()
    const before = await name.inputValue()
    await name.fill('First talk')
    await name.press('Enter')
    await page.getByText('Changed First talk').first().waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    await expect.poll(() => name.inputValue()).toBe(before)
    // what another person changes is shown without a reload
    const { body: pipelines } = await site().call('GET', '/api/deals/pipelines')
    const [stage] = pipelines.items.find((one: { name: string }) => one.name === 'Sales pipeline').stages
    await site().call('PATCH', `/api/deals/stages/${stage.id}`, { name: 'Changed elsewhere' })
    await expect.poll(() => name.inputValue()).toBe('Changed elsewhere')
    await site().call('PATCH', `/api/deals/stages/${stage.id}`, { name: before })

    // the deals of a won stage that is open for a moment are won since the same time as before
    const wonAt = async () => {
      const { body: page } = await site().call('GET', '/api/deals?status=won&sort_by=name&page_size=1000')
      return page.items.map((deal: { closed_at: string }) => deal.closed_at)
    }
    const closed = await wonAt()
    expect(closed.length).toBeGreaterThan(0)
    await sales.getByRole('combobox', { name: 'Type of Won' }).click()
    await page.getByRole('option', { name: 'Open' }).click()
    await page.getByText('Changed Won').first().waitFor()
    expect(await wonAt()).not.toEqual(closed)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(wonAt).toEqual(closed)

    // a number out of its limits stays, with the reason
    const probability = sales.getByLabel(/^Probability of/).first()
    for (const text of ['150 %', 'abc']) {
      await probability.fill(text)
      await probability.press('Enter')
      await sales.getByRole('alert').getByText('Enter 0 to 100').waitFor()
      expect(await probability.inputValue()).toBe(text)
    }
    await probability.press('Escape')
    await sales.getByRole('alert').waitFor({ state: 'detached' })

    await sales.getByLabel('New stage of Sales pipeline').fill('Pilot')
    await sales.getByLabel('New stage of Sales pipeline').press('Enter')
    await sales.getByRole('button', { name: 'Move Pilot up' }).click()
    await page.getByText('Moved Pilot').first().waitFor()

    // below the others: its name is selected, to be written
    await page.getByRole('button', { name: 'New pipeline' }).click()
    await page.locator('section[aria-label="New pipeline"] input:focus').waitFor()
    await page.keyboard.type('Partners')
    await page.keyboard.press('Enter')
    await page.getByText('Renamed to Partners').waitFor()

    await goTo(page, 'Custom fields')
    await page.getByRole('radio', { name: 'Deals' }).click()
    await page.getByRole('button', { name: 'New field' }).click()
    await page.getByLabel('Name').fill('amount')
    await page.getByText('Every deal has the field Amount already').waitFor()
    expect(await page.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true)
    await page.getByLabel('Name').fill('Tender number')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('list', { name: 'Custom fields of deals' }).getByText('Tender number').waitFor()

    await goTo(page, 'Categories and tags')
    // the text of a refused tag is in the field again
    const refuse = { status: 422, json: { detail: 'Not this tag' } }
    await page.route('**/api/tags', route => route.fulfill(refuse), { times: 1 })
    await page.getByLabel('New tag').fill('Reed')
    await page.getByLabel('New tag').press('Enter')
    await page.getByText('Not this tag').first().waitFor()
    expect(await page.getByLabel('New tag').inputValue()).toBe('Reed')
    await page.getByLabel('New tag').press('Enter')
    const tag = page.getByLabel('Name of the tag Reed')
    // a refused name stays, with the reason
    await page.route('**/api/tags/*', route => route.fulfill(refuse), { times: 1 })
    await tag.fill('Reeds')
    await tag.press('Enter')
    await page.getByRole('list', { name: 'tags' }).getByText('Not this tag').waitFor()
    expect(await tag.inputValue()).toBe('Reeds')
    // beside the field the reason would leave no room for it
    expect((await tag.boundingBox())?.width).toBeGreaterThan(100)
    await tag.focus()
    await tag.press('Enter')
    await page.getByRole('button', { name: 'Delete the tag Reeds' }).click()
    // not the message of the new name, which may come later
    const deleted = page.locator('[data-toast]', { hasText: 'Deleted Reeds' })
    await deleted.getByRole('button', { name: 'Undo' }).click()
    await page.getByLabel('Name of the tag Reeds').waitFor()

    const { body: company } = await site().call('POST', '/api/companies', { name: 'Old Lagoon' })
    await site().call('DELETE', `/api/companies/${company.id}`)
    // from its address, so that the list begins with the last change
    await page.goto(new URL('/settings/audit', page.url()).href)
    const changes = page.getByRole('list', { name: 'Changes' })
    await changes
      .getByText(/restored the tag/)
      .first()
      .waitFor()
    await changes.getByText(/created the custom field Tender number/).waitFor()
    await changes.getByText(/moved the company Old Lagoon to the trash/).waitFor()
  })

  it('creates a key that works, and a webhook whose deliveries are listed', async () => {
    const page = await site().open('/settings/api-keys')
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('Reports')
    await page.getByRole('combobox', { name: /^Access/ }).click()
    await page.getByRole('option', { name: 'Read everything' }).click()
    await page.getByRole('button', { name: 'Create' }).click()
    const key = (await page.getByRole('dialog').getByText(/^sk_/).innerText()).trim()
    const headers = { 'x-api-key': key }
    expect((await request(`${site().url}/api/companies`, 'GET', undefined, headers)).status).toBe(200)
    expect((await request(`${site().url}/api/companies`, 'POST', { name: 'x' }, headers)).status).toBe(403)
    await page.getByRole('button', { name: 'Done' }).click()
    // the old key works until its programs have the new one
    await page.getByRole('button', { name: 'Rotate Reports' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click()
    expect((await page.getByRole('dialog').getByText(/^sk_/).innerText()).trim()).not.toBe(key)
    expect((await request(`${site().url}/api/companies`, 'GET', undefined, headers)).status).toBe(200)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Revoke Reports' }).click()
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByText('Revoked Reports').waitFor()
    expect((await request(`${site().url}/api/companies`, 'GET', undefined, headers)).status).toBe(401)

    await goTo(page, 'Webhooks')
    await page.getByRole('button', { name: 'New webhook' }).click()
    await page.getByLabel('Address').fill('https://hooks.invalid/kith')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText(/^whsec_/).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await page.getByRole('list', { name: 'Deliveries' }).getByText('webhook.test').click()
    await page
      .getByRole('dialog')
      .getByText(/"attempts"/)
      .waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    // The service of this process would try to deliver the removal of the demo below, record by record, to the end of
    // the run.
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    // its deliveries, which would not be found, are not read while it is being deleted
    await page.route('**/api/webhooks/*', async route => {
      await page.getByRole('list', { name: 'Deliveries' }).waitFor({ state: 'detached' })
      await route.continue()
    })
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('Deleted the webhook').waitFor()
    expect((await site().call('GET', '/api/webhooks')).body.items).toEqual([])
  })

  it('does not offer a mail again that the service cannot send', async () => {
    const page = await site().open('/today', { expected: /status of 409/ })
    await page.route('**/api/session/refresh', async route => {
      const response = await route.fetch()
      const session = await response.json()
      await route.fulfill({
        response,
        json: { ...session, user: { ...session.user, email_confirmed_at: null } },
      })
    })
    const detail = 'Email sending is not configured'
    await page.route('**/api/auth/send-confirmation', route =>
      route.fulfill({ status: 409, json: { detail } }),
    )
    await page.goto(new URL('/settings/profile', page.url()).href)
    await page.getByRole('button', { name: 'Send the confirmation mail' }).click()
    await page.getByRole('form').or(page.locator('form')).getByText(detail).waitFor()
    expect(await page.getByRole('button', { name: 'Send the confirmation mail' }).count()).toBe(0)
  })

  it('switches to another account', async () => {
    const { url, email, password } = site()
    const { access_token } = (await request(`${url}/api/auth/login`, 'POST', { email, password }, {})).body
    const authorization = { authorization: `Bearer ${access_token}` }
    await request(`${url}/api/accounts`, 'POST', { name: 'Weir Works' }, authorization)
    const page = await site().open('/settings/account', { expected: /status of 422/ })
    // what the service refuses is explained at its field
    const slug = page.getByLabel('Address of public pages')
    await slug.fill('Rill Sensors!')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^Use small letters, digits and single hyphens/).waitFor()
    expect(await page.locator('input:focus').inputValue()).toBe('Rill Sensors!')
    await switchTo(page, 'Weir Works')
    await page.getByText('You are now in Weir Works').waitFor()
  })

  it('is accessible in every look', async () => {
    const page = await site().open('/settings')
    const show = async (section: string, text: string) => {
      await goTo(page, section)
      await page.getByText(text).or(page.getByPlaceholder(text)).first().waitFor()
    }
    const check = async (section: string, look: string) => {
      await expectAccessible(page, look)
      await screenshot(page, `settings-${section.toLowerCase().replaceAll(' ', '-')}-${look}`)
    }
    // the sections have the same parts, so one look is enough for most of them
    for (const [section, text] of [
      ['Members', 'Invitations'],
      ['Custom fields', 'Preferred channel'],
      ['Categories and tags', 'Add a tag'],
      ['Audit', 'Show earlier changes'],
      ['Usage', 'Assistant'],
    ] as const) {
      await show(section, text)
      await check(section, 'light')
    }
    for (const [section, text] of [
      ['Profile', 'This browser'],
      ['Pipelines', 'Add a stage'],
      ['API keys', 'Test'],
    ] as const) {
      // all but the first on a phone
      await show(section, text)
      await inEveryLook(page, look => check(section, look))
    }
  })

  // last: the other tests need the demo
  it('removes the demo data, and nothing else', async () => {
    await site().call('POST', '/api/companies', { name: 'My own' })
    const page = await site().open('/settings/account')
    await page.getByRole('button', { name: 'Remove the demo data' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText(/^Removed the demo data/).waitFor()
    await page.getByRole('button', { name: 'Remove the demo data' }).waitFor({ state: 'detached' })
    expect((await site().call('GET', '/api/companies')).body.items).toMatchObject([{ name: 'My own' }])
  })
})
