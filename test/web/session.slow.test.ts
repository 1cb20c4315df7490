/** Signing in and out, and the first run, in the pages of the web client. */
import { expect, it } from 'vitest'
import { inBrowser, inEveryLook, signIn } from '../support/browser.ts'
import { expectAccessible, screenshot } from '../support/page-problems.ts'
import { newEmail, PASSWORD, serviceWith } from '../support/person.ts'
import { waitFor } from '../support/process.ts'
import { engines, request } from '../support/service.ts'

/** What Chromium logs about an answer with this status. */
const refused = (status: number) => new RegExp(`status of ${status}`)

/** The names of buttons that change something. */
const WRITING =
  /^(New |Add\b|Edit |Delete|Move |Link |Star$|Merge|Restore|Upload|Write |Choose a file|Not duplicates|More of )/

inBrowser('a session', site => {
  it('begins with the form, survives a reload, and ends at sign-out', async () => {
    // what the page is still reading when the session ends is refused
    const page = await site().visit('/contacts', { expected: refused(401) })
    await page.waitForURL(/\/sign-in\?next=/)
    await signIn(page, site())
    await page.waitForURL(/\/contacts/)
    await page.getByRole('button', { name: 'Account Rill Sensors' }).waitFor()
    const cookies = await page.context().cookies(`${site().url}/api/session`)
    expect(cookies).toMatchObject([
      { name: 'kith', httpOnly: true, sameSite: 'Strict', path: '/api/session' },
    ])
    expect(
      await page.evaluate<string>('JSON.stringify({ ...localStorage }) + document.cookie'),
    ).not.toContain('rt_')
    await page.reload()
    await page.getByRole('button', { name: 'Account Rill Sensors' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(/\/sign-in/)
    expect(await page.context().cookies(`${site().url}/api/session`)).toEqual([])
    await page.goto(`${site().url}/contacts`)
    await page.waitForURL(/\/sign-in/)
  })

  it('is refused with a message for a wrong password', async () => {
    const page = await site().visit('/sign-in', { expected: refused(401) })
    await signIn(page, { email: site().email, password: 'wrong horse battery' })
    expect(await page.getByRole('alert').textContent()).toBe('Invalid email or password')
    await signIn(page, site())
    await page.getByRole('button', { name: 'Account Rill Sensors' }).waitFor()
  })

  it('stays in the account that a tab shows, and ends in all tabs at once', async () => {
    const { url, email, password } = site()
    const { access_token } = (await request(`${url}/api/auth/login`, 'POST', { email, password }, {})).body
    const authorization = { authorization: `Bearer ${access_token}` }
    await request(`${url}/api/accounts`, 'POST', { name: 'Weir Works' }, authorization)
    const page = await site().open('/contacts', { expected: refused(401) })
    await page.getByRole('button', { name: 'Account Rill Sensors' }).waitFor()
    const other = await page.context().newPage()
    // a tab that is left while it renews the session still gets the new cookie
    const cookie = async () => (await page.context().cookies()).find(({ name }) => name === 'kith')?.value
    const before = await cookie()
    const renewing = other.waitForRequest(/session\/refresh/)
    void other.goto(`${url}/contacts`).catch(() => {})
    await renewing
    await other.goto('about:blank')
    await waitFor(async () => (await cookie()) !== before)
    await other.goto(`${url}/contacts`)
    await other.getByRole('button', { name: 'Account Rill Sensors' }).click()
    await other.getByRole('menuitem', { name: 'Weir Works' }).click()
    await other.getByRole('button', { name: 'Account Weir Works' }).waitFor()

    // the first tab's token expires: the session that it refreshes is now in the other account
    await page.route('**/api/companies/query', route => route.fulfill({ status: 401, json: {} }), {
      times: 1,
    })
    const refreshed = page.waitForResponse(/session\/refresh/)
    await page.getByRole('link', { name: 'Companies' }).click()
    await refreshed
    await page.getByRole('link', { name: 'Meridian Chemicals' }).first().waitFor()
    expect(await page.getByRole('button', { name: 'Account Rill Sensors' }).count()).toBe(1)

    await other.getByRole('button', { name: 'Account Weir Works' }).click()
    await other.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(/\/sign-in/)
  })

  it('shows that the service is away, and what changed meanwhile when it is back', async () => {
    const page = await site().open('/contacts', { expected: /Failed to load|ERR_/ })
    await page.locator('[data-cell="0:0"]').waitFor()
    await page.route('**/api/**', route => route.abort())
    await page.getByRole('link', { name: 'Companies' }).click()
    await page.getByText('The service cannot be reached. Trying again…').waitFor()
    await page.unroute('**/api/**')
    await page.getByRole('link', { name: 'Deals' }).click()
    await page.locator('[data-cell="0:0"]').waitFor()
    await page.getByText('The service cannot be reached. Trying again…').waitFor({ state: 'detached' })
    // what could not be read is read again without a reload
    await page.getByRole('link', { name: 'Companies' }).click()
    await page.getByRole('link', { name: 'Meridian Chemicals' }).first().waitFor()

    // a service that fails to refresh the session has not ended it: the client asks again
    const once = { times: 1 }
    await page.route('**/api/session/refresh', route => route.fulfill({ status: 503, json: {} }), once)
    await page.route('**/api/products/query', route => route.fulfill({ status: 401, json: {} }), once)
    const failed = page.waitForResponse(response => response.status() === 503)
    await page.getByRole('link', { name: 'Products' }).click()
    await failed
    await page.getByRole('link', { name: 'Tide One pH probe' }).waitFor()
  })

  it('confirms an address with the link of a mail, or says why not', async () => {
    const page = await site().visit('/account/confirm-email#ct_unknown', { expected: refused(4) })
    await page.waitForURL(/\/confirm-email/)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('alert').waitFor()
    await expectAccessible(page)
  })

  it('of a viewer has no controls to edit', async () => {
    const email = newEmail()
    const invitation = { email, role: 'viewer', send_mail: false }
    const { body } = await site().call('POST', `/api/accounts/${site().accountId}/invitations`, invitation)
    const page = await site().visit(`/account/accept-invitation#${body.token}`)
    await page.getByLabel('Your name').fill('Vera Viewer')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Accept the invitation' }).click()
    await page.getByRole('button', { name: 'Account Rill Sensors' }).waitFor()

    const { body: deals } = await site().call('GET', '/api/deals?page_size=1')
    for (const [path, text] of [
      ['/today', 'Everyone'],
      [`/deals/${deals.items[0].id}`, 'Facts'],
      ['/board', 'Negotiation'],
      ['/knowledge', 'Choose a page'],
      ['/trash', 'Contacts'],
      ['/settings/pipelines', 'Sales pipeline'],
      ['/mail/new', 'Members write mails'],
      ['/settings/webhooks', 'Webhooks are for owners and admins'],
    ] as const) {
      await page.goto(new URL(path, page.url()).href)
      await page.getByText(text).or(page.getByLabel(text)).first().waitFor()
      const names = await page.evaluate<string[]>(
        `[...document.querySelectorAll('button')].map(one => one.getAttribute('aria-label') ?? one.textContent)`,
      )
      expect([path, names.filter(name => WRITING.test(name))]).toEqual([path, []])
    }
    await page.goto(new URL('/contacts', page.url()).href)
    await page.locator('[data-cell="0:2"]').dblclick()
    await page.keyboard.press('c')
    expect(await page.getByRole('textbox', { name: 'Job title' }).count()).toBe(0)
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('has a form that is accessible in every look', async () => {
    const page = await site().visit('/sign-in')
    await inEveryLook(page, async name => {
      await page.getByLabel('Email').waitFor()
      await expectAccessible(page, name)
      await screenshot(page, `sign-in-${name}`)
    })
  })

  it('can be begun by an invited person, with the link of the mail', async () => {
    const email = newEmail()
    const invitation = { email, role: 'member', send_mail: false }
    const { body } = await site().call('POST', `/api/accounts/${site().accountId}/invitations`, invitation)
    const page = await site().visit(`/account/accept-invitation#${body.token}`, { expected: refused(404) })
    await page.getByRole('heading', { name: 'Join Rill Sensors' }).waitFor()
    await page.getByText(`${email} is invited as member`).waitFor()
    await page.getByLabel('Your name').fill('Grace Hopper')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Accept the invitation' }).click()
    await page.getByRole('button', { name: 'Account Rill Sensors' }).click()
    await page.getByText(email).waitFor()
    // the page has signed in once
    await page.goto(new URL('/settings', page.url()).href)
    await page.getByText('This browser').waitFor()
    expect(await page.getByRole('list', { name: 'Sessions' }).getByRole('listitem').count()).toBe(1)
    // the link works once
    await page.goto(new URL(`/invitation#${body.token}`, page.url()).href)
    await page.getByText('It was accepted or withdrawn').waitFor()
  })

  it('can be begun by the first owner, with the link of the start', async () => {
    const { service, url } = await serviceWith(engines.at(-1) ?? 'server', () => ({
      registration: 'invited',
    }))
    const page = await site().visit(`${url}/setup#token=${await service.setupToken()}`)
    try {
      await page.getByLabel('Your name').fill('Grace Hopper')
      await page.getByLabel('Email').fill(newEmail())
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByLabel('Name of the account').fill('Compilers')
      await page.getByText('An empty account').click()
      await expectAccessible(page)
      await screenshot(page, 'setup')
      await page.getByRole('button', { name: 'Create the account' }).click()
      await page
        .getByText(/sk_[\w-]{43}/)
        .first()
        .waitFor()
      await page.getByRole('button', { name: 'Start working' }).click()
      await page.getByRole('button', { name: 'Account Compilers' }).waitFor()
    } finally {
      // before the service: the page reports requests that fail
      await page.context().close()
      await service.close()
    }
  })
})
