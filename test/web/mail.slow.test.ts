/** Mail: written with a template, seen as its reader sees it, scheduled, taken back and sent. */
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type MailServer, mailServer } from '../../src/mail/testing.ts'
import { inBrowser, inEveryLook } from '../support/browser.ts'
import { expectAccessible, screenshot } from '../support/page-problems.ts'
import { waitFor } from '../support/process.ts'

let server: MailServer
beforeAll(async () => {
  server = await mailServer()
})
afterAll(() => server.close())

inBrowser('mail', site => {
  it('writes, schedules and sends, and is accessible in every look', async () => {
    const { call, ctx } = site()
    const { config } = ctx.services
    const mail = { smtpUrl: server.url, from: 'sales@rill.example' }
    config.mail = mail
    // the next test files share this service
    onTestFinished(() => {
      config.mail = undefined
    })
    const { body: company } = await call('POST', '/api/companies', { name: 'Heron Docks' })
    await call('POST', '/api/contacts', {
      ...{ first_name: 'Nils', last_name: 'Aker', email: 'nils@heron.example' },
      company_id: company.id,
    })

    const page = await site().open('/mail', { expected: /status of (409|422|502)/ })
    const write = page.getByRole('button', { name: 'New mail' })
    const subjects = async () =>
      (await call('GET', '/api/email-drafts?status=draft')).body.items.map(
        (draft: { subject: string }) => draft.subject,
      )
    const before = await subjects()
    // a mail in which nothing was written leaves no draft; one that is deleted at once is gone
    await write.click()
    await page.getByRole('textbox', { name: 'Text of the mail' }).waitFor()
    await page.keyboard.press('Escape')
    await write.click()
    await page.getByLabel('Subject').fill('Wrong person')
    await page.route('**/api/email-drafts/*', async route => {
      // its page is left first: what it reads again would not be found
      if (route.request().method() === 'DELETE')
        await page.getByLabel('Subject').waitFor({ state: 'detached' })
      await route.continue()
    })
    await page.getByRole('button', { name: 'Delete the draft' }).click()
    await page.getByText('Deleted Wrong person').waitFor()
    await page.unrouteAll()
    expect(await subjects()).toEqual(before)

    await write.click()
    await page.waitForURL(/\/mail\/new/)
    await page.getByRole('button', { name: 'Add a recipient: To' }).click()
    await page.getByRole('combobox', { name: 'Find a contact' }).fill('Nils Aker')
    await page.getByRole('option', { name: 'Nils Aker' }).click()
    await page.getByRole('button', { name: 'Template' }).click()
    await page.getByRole('option', { name: 'Offer for {{company.name}}' }).click()
    const preview = page.getByRole('complementary', { name: 'Preview' })
    await preview.getByText('Offer for Heron Docks').waitFor()
    await preview.getByText('Hello Nils,').waitFor()
    await page.getByRole('textbox', { name: 'Text of the mail' }).click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' You are at ')
    await page.getByRole('button', { name: 'Variable' }).click()
    await page.getByRole('combobox', { name: 'Variable' }).fill('Contact email')
    await page.getByRole('option').first().click()
    await preview.getByText('You are at nils@heron.example').waitFor()

    // what could not be saved is saved once the service is back
    await page.waitForURL(/\/mail\/[0-9a-f-]{36}/)
    const id = page.url().split('/').at(-1)
    const stored = async () => (await call('GET', `/api/email-drafts/${id}`)).body
    const draft = `**/api/email-drafts/${id}`
    await page.route(draft, route => route.fulfill({ status: 502, json: { detail: 'Away' } }))
    await page.getByLabel('Subject').fill('Offer for {{company.name}} again')
    await page.getByRole('status').getByText('Not saved: Away').waitFor()
    await page.unroute(draft)
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
    expect((await stored()).subject).toBe('Offer for {{company.name}} again')
    await inEveryLook(page, async look => {
      await expectAccessible(page, look)
      await screenshot(page, `mail-${look}`)
    })

    // on a phone
    await page.getByRole('button', { name: 'Send later' }).click()
    await page.getByRole('button', { name: /^Tomorrow morning/ }).click()
    await page.waitForURL(/box=scheduled/)
    const row = page.getByRole('link', { name: 'Nils Aker' })
    await row.waitFor()
    // the message of the deleted draft may still be there
    const scheduled = page.locator('[data-toast]').filter({ hasText: 'Goes out' })
    await scheduled.getByRole('button', { name: 'Undo' }).click()
    await row.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Drafts' }).click()
    await row.click()
    // a mail that is not sent has its variables
    await page.getByRole('textbox', { name: 'Text of the mail' }).getByText('{{contact.email}}').waitFor()
    config.mail = undefined
    const send = page.getByRole('button', { name: 'Send', exact: true })
    await send.click()
    await page.getByText(/Set KITH_SMTP_URL and KITH_MAIL_FROM/).waitFor()
    expect((await stored()).body_html).toContain('{{contact.email}}')
    // asks about gaps of the text as it is, not of the preview, which is older
    await page.getByLabel('Subject').fill('Call {{contact.phone}}')
    await send.click()
    const gaps = page.getByText('stay empty: Contact phone.')
    await gaps.waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    // it closes with a transition, and has a button Send, too
    await gaps.waitFor({ state: 'detached' })
    await page.getByLabel('Subject').fill('Offer for {{company.name}} again')
    config.mail = mail
    await send.click()
    await page.waitForURL(/box=sent/)
    const sent = await waitFor(async () => server.received.find(({ to }) => to[0]?.includes('nils@')))
    expect(sent?.header('Subject')).toBe('Offer for Heron Docks again')
    await row.waitFor()
    await page.getByRole('link', { name: 'Templates' }).click()
    await page.getByRole('button', { name: 'Use' }).first().waitFor()
    // what was typed is there after Escape, until it is cancelled
    const create = page.getByRole('button', { name: 'New template' })
    for (const expected of ['', 'Half a subject', '']) {
      await create.click()
      const subject = page.getByRole('dialog').getByLabel('Subject')
      expect(await subject.inputValue()).toBe(expected)
      await subject.fill('Half a subject')
      if (expected) await page.getByRole('button', { name: 'Cancel' }).click()
      else await page.keyboard.press('Escape')
      await subject.waitFor({ state: 'detached' })
    }
    // a refused subject stays, with the reason
    const loc = ['body', 'subject']
    const json = { detail: [{ type: 'value_error', loc, msg: 'Value error, this is no subject' }] }
    await page.route('**/api/email-templates', route => route.fulfill({ status: 422, json }), { times: 1 })
    await create.click()
    await page.getByRole('dialog').getByLabel('Subject').fill('Half a subject')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').getByText('This is no subject').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await inEveryLook(page, look => expectAccessible(page, look))
  })
})
