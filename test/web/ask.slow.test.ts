/** Ask: chats in folders, answers that lead to their records, proposals, attachments, shares. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { propose } from '../../src/features/assistant/proposals/propose.ts'
import { transaction } from '../../src/kernel/context.ts'
import { addMessage } from '../../src/resources/chats/messages.ts'
import { inBrowser, inEveryLook, type Site } from '../support/browser.ts'
import { expectAccessible, screenshot } from '../support/page-problems.ts'
import { waitFor } from '../support/process.ts'

const answers = (page: Page) => page.locator('article[aria-label="Answer"]:not([aria-busy])')

/** Asks in the open chat, and waits until the answer is complete. */
async function ask(page: Page, question: string) {
  const count = await answers(page).count()
  await page.getByLabel('Question').fill(question)
  await page.keyboard.press('Enter')
  const answer = answers(page).nth(count)
  await answer.waitFor()
  return answer
}

const metadata = { status: 'completed', grounded: false, confidence: 'low', citations: [], conflicts: [] }

/** A chat in which the assistant is unsure, and proposes a change. */
async function chatWithProposal({ call, ctx }: Site) {
  const { body: company } = await call('POST', '/api/companies', { name: 'Gull Ferries', city: 'Kiel' })
  const { body: chat } = await call('POST', '/api/chats', { title: 'Gulls' })
  const chat_id: string = chat.id
  const content = 'Possibly: Gull Ferries has moved to Rostock.'
  const message = await addMessage(ctx, chat_id, { role: 'assistant', content, metadata })
  const change = { kind: 'update', entity_type: 'company', entity_id: company.id } as const
  await transaction(ctx, tx =>
    propose(tx, { ...change, values: { city: 'Rostock' }, chat_id, message_id: message.id }),
  )
  return { chatId: chat_id, companyId: company.id as string }
}

inBrowser('ask', site => {
  it('shows older messages of a long chat when the person scrolls up', async () => {
    const { body: chat } = await site().call('POST', '/api/chats', { title: 'Long' })
    await transaction(site().ctx, async tx => {
      for (let number = 1; number <= 60; number++)
        await addMessage(tx, chat.id, { role: 'user', content: `Message number ${number}.` })
    })
    const page = await site().open(`/ask/${chat.id}`)
    await page.getByText('Message number 60.').waitFor()
    expect(await page.getByText('Message number 1.').count()).toBe(0)
    await page.getByRole('button', { name: 'Older messages' }).scrollIntoViewIfNeeded()
    await page.getByText('Message number 1.').waitFor({ state: 'attached' })
    // the messages stay where they were: the newly read ones are above
    const eleventh = page.getByText('Message number 11.')
    expect(await eleventh.isVisible()).toBe(true)
    const scroller = page.locator('main [tabindex="-1"]').filter({ has: eleventh })
    expect(await scroller.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0)
    // a question that was not sent is there when the person comes back
    await page.getByLabel('Question').fill('Half a question')
    await page.getByRole('link', { name: 'New chat' }).click()
    await page.waitForURL(/\/ask$/)
    await page.goBack()
    await expect.poll(() => page.getByLabel('Question').inputValue()).toBe('Half a question')
  })

  it('answers with figures, sources and the Query behind them', async () => {
    const page = await site().open('/ask', { expected: /status of 422/ })
    const question = 'Total amount of open deals by stage'
    const refuse = { status: 422, json: { detail: 'Not now' } }
    await page.route('**/api/chats/*/messages', route => route.fulfill(refuse), { times: 1 })
    await page.getByRole('button', { name: question, exact: true }).click()
    await page.waitForURL(/\/ask\/.+/)
    // a question that was refused is in the field of its chat
    await expect.poll(() => page.getByLabel('Question').inputValue()).toBe(question)
    await page.getByRole('dialog', { name: 'Message' }).getByText('Not now').waitFor()
    await page.getByLabel('Question').press('Enter')
    const figure = answers(page).first()
    const query = figure.getByRole('region', { name: 'How it was computed' })
    await query.getByRole('button', { name: /Sum of amount of deals where status is open/ }).click()
    const text = query.getByLabel('Query')
    const edited = JSON.parse(await text.inputValue())
    await text.fill(JSON.stringify({ ...edited, measure: { kind: 'count' } }))
    await query.getByRole('button', { name: 'Run' }).click()
    await query.getByRole('row', { name: /Negotiation/ }).waitFor()

    const refusal = await ask(page, 'What is the capital of France?')
    await refusal.getByText('Not in the records').waitFor()
    const largest = await ask(page, 'Which open deals are the largest?')
    expect(await largest.getByText('Not in the records').count()).toBe(0)
    await largest.getByRole('button', { name: 'This helped' }).click()
    await largest.getByRole('button', { name: 'This helped', pressed: true }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'ask-light')
    await largest.getByRole('list', { name: 'Sources' }).getByRole('button').first().click()
    await page.waitForURL(/\/deals\/.+/)
    await page.goBack()
    await query.getByRole('link', { name: 'Open as a list' }).first().click()
    await page.waitForURL(/\/deals\?where=/)
    await page.getByRole('button', { name: 'Remove the filter by Status' }).waitFor()
  })

  it('sorts chats into folders, reads a file, and shares a chat until the link is revoked', async () => {
    const page = await site().open('/ask', { expected: /status of 422/ })
    const file = {
      name: 'tide.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('The tide gate opens at six.'),
    }
    await page.getByLabel('Files to attach').setInputFiles(file)
    await page.getByText('tide.txt').waitFor()
    await ask(page, 'According to the file, when does the tide gate open?').then(answer =>
      answer.getByText('The tide gate opens at six.').waitFor(),
    )
    const chats = page.getByRole('navigation', { name: 'Chats' })
    await page.getByRole('button', { name: 'New folder' }).click()
    // a refused name stays, with the reason
    const loc = ['body', 'name']
    const json = { detail: [{ type: 'value_error', loc, msg: 'Value error, this name is taken' }] }
    await page.route('**/api/chats/folders', route => route.fulfill({ status: 422, json }), { times: 1 })
    await page.getByLabel('Name').fill('Harbour')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText('This name is taken').waitFor()
    await page.keyboard.press('Enter')
    await chats.getByRole('region', { name: 'Harbour' }).waitFor()
    await chats.getByRole('button', { name: /^More for According/ }).click()
    await page.getByRole('menuitem', { name: 'Harbour' }).click()
    await chats
      .getByRole('region', { name: 'Harbour' })
      .getByRole('link', { name: /^According/ })
      .waitFor()

    await page.getByRole('button', { name: 'Share' }).click()
    // a link is public only if the person wants it
    const isPublic = page.getByRole('checkbox', { name: 'Without signing in' })
    expect(await isPublic.isChecked()).toBe(false)
    await isPublic.click()
    await page.getByRole('button', { name: 'Create a link' }).click()
    const link = await page.getByRole('dialog').locator('code').textContent()
    await page.getByText(/^Ends/).waitFor()
    const shared = await site().visit(link ?? '', { expected: /./ })
    await shared.getByText('The tide gate opens at six.').waitFor()
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('This chat is not shared.').waitFor()
    expect((await shared.reload())?.status()).toBe(404)

    // people who have signed in read it in the web client
    await isPublic.click()
    await page.getByRole('button', { name: 'Create a link' }).click()
    const own = page.getByRole('dialog').getByText('/ask?share=')
    await page.goto(await own.innerText())
    await page.getByRole('article', { name: 'Answer' }).getByText('The tide gate opens at six.').waitFor()
  })

  it('shows doubt, and proposals to decide, and is accessible in every look', async () => {
    const { chatId, companyId } = await chatWithProposal(site())
    const cityOf = async () => (await site().call('GET', `/api/companies/${companyId}`)).body.city
    const page = await site().open(`/ask/${chatId}`)
    await page.getByText('Possibly: read the source').waitFor()
    await page.getByRole('button', { name: 'Accept' }).waitFor()
    await inEveryLook(page, async look => {
      await expectAccessible(page, look)
      await screenshot(page, `ask-proposal-${look}`)
    })
    // on a phone
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('Accepted').waitFor()
    expect(await cityOf()).toBe('Rostock')
    await page.getByRole('button', { name: 'Undo' }).click()
    await waitFor(async () => (await cityOf()) === 'Kiel')
  })
})
