/** Signing in and out, and the first run, in the pages of the web client. */
import { expect, it } from 'vitest'
import { inBrowser, inEveryLook, signIn } from '../support/browser.ts'
import { expectAccessible, screenshot } from '../support/page-problems.ts'
import { newEmail, PASSWORD, serviceWith } from '../support/person.ts'
import { engines } from '../support/service.ts'

/** What Chromium logs about an answer with this status. */
const refused = (status: number) => new RegExp(`status of ${status}`)

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
    const page = await site().visit(`/account/accept-invitation#${body.token}`)
    await page.getByLabel('Your name').fill('Grace Hopper')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Accept the invitation' }).click()
    await page.getByRole('button', { name: 'Account Rill Sensors' }).click()
    await page.getByText(email).waitFor()
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
