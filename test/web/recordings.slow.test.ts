/** Recordings: a file becomes text and a note, and the microphone becomes a recording. */
import { fileURLToPath } from 'node:url'
import type { Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { inBrowser, inEveryLook } from '../support/browser.ts'
import { expectAccessible, screenshot } from '../support/page-problems.ts'
import { SLOW, waitFor } from '../support/process.ts'

const CALL = fileURLToPath(new URL('../fixtures/audio/call.mp3', import.meta.url))

inBrowser('recordings', site => {
  it('transcribes a file, links it, keeps it as a note, and plays it', async () => {
    const page = await site().open('/recordings')
    await page.getByRole('list', { name: 'Recordings' }).waitFor()
    await page.getByLabel('File of a recording').setInputFiles(CALL)
    await page.waitForURL(/\/recordings\/[0-9a-f-]{36}/)
    const segments = page.getByRole('list', { name: 'Segments' })
    // with much else to do on the machine the model takes more than the usual minute
    await segments.getByRole('button').first().waitFor({ timeout: SLOW.timeout })
    const keep = page.getByRole('button', { name: 'Keep as note' })
    expect(await keep.isDisabled()).toBe(true)

    await page.getByRole('button', { name: 'Link' }).click()
    await page.getByRole('option').first().waitFor()
    const held = new Promise<Route>(resolve => page.route('**/api/companies?*', resolve, { times: 1 }))
    await page.getByRole('radio', { name: 'Company' }).click()
    const companies = await held
    expect(await page.getByRole('option').allTextContents(), 'before the companies are there').toEqual([])
    await companies.continue()
    await page.getByRole('option').first().click()
    await page.getByText('Linked the recording').waitFor()
    await keep.click()
    await page.getByText('Kept as a note').waitFor()
    const notes = await site().call('GET', '/api/notes?search=renewal&sort_by=created_at&sort_order=desc')
    expect(notes.body.total).toBeGreaterThan(0)

    await page.getByRole('button', { name: 'Play' }).click()
    await page.locator('audio[src^="blob:"]').waitFor()
  })

  it('records the microphone, and deletes the recording with Undo', async () => {
    const page = await site().open('/recordings')
    await page.context().grantPermissions(['microphone'])
    const count = async () => (await site().call('GET', '/api/transcriptions')).body.total
    const before = await count()
    await page.getByRole('button', { name: 'Record', exact: true }).click()
    await page.getByRole('timer').getByText('0:01').waitFor()
    const today = page.getByRole('link', { name: 'Today' })
    await today.click()
    await page.getByRole('button', { name: 'Keep recording' }).click()
    await page.getByRole('dialog', { name: 'You are recording' }).waitFor({ state: 'detached' })
    expect(page.url()).toMatch(/\/recordings$/)
    await page.getByRole('button', { name: 'Stop and transcribe' }).click()
    await page.waitForURL(/\/recordings\/[0-9a-f-]{36}/)
    await page.getByRole('heading', { name: /^Recording \d{4}-/ }).waitFor()
    expect(await count()).toBe(before + 1)
    await page.getByRole('button', { name: /^Delete Recording/ }).click()
    await page.getByText(/^Deleted Recording/).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await waitFor(async () => (await count()) === before + 1)

    // who leaves is not brought back, and has the recording
    await page.getByRole('button', { name: 'Record', exact: true }).click()
    await page.getByRole('timer').getByText('0:01').waitFor()
    await today.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop and transcribe' }).click()
    await page.getByText(/is being transcribed$/).waitFor()
    expect(page.url()).toMatch(/\/today$/)
    expect(await count()).toBe(before + 2)
    // so that its transcription does not outlive the test
    const [last] = (await site().call('GET', '/api/transcriptions?sort_by=created_at&sort_order=desc')).body
      .items
    await site().call('DELETE', `/api/transcriptions/${last.id}`)
  })

  it('is accessible in every look', async () => {
    const { body } = await site().call('GET', '/api/transcriptions')
    const page = await site().open(`/recordings/${body.items.at(-1).id}`)
    await inEveryLook(page, async look => {
      await page.getByRole('region', { name: 'Transcript' }).waitFor()
      await expectAccessible(page, look)
      await screenshot(page, `recordings-${look}`)
    })
  })
})
