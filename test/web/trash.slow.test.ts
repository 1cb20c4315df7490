/** The trash: deleted records are listed by kind and restored, one or several, with Undo. */
import { expect, it } from 'vitest'
import { inBrowser, inEveryLook } from '../support/browser.ts'
import { expectAccessible, screenshot } from '../support/page-problems.ts'

inBrowser('the trash', site => {
  const createDeleted = async (name: string) => {
    const { body } = await site().call('POST', '/api/companies', { name })
    await site().call('DELETE', `/api/companies/${body.id}`)
    return body.id as string
  }
  const statusOf = async (id: string) => (await site().call('GET', `/api/companies/${id}`)).status

  it('restores a record, and puts it back with Undo', async () => {
    const id = await createDeleted('Lost Lagoon')
    // opens the first kind that has something
    const page = await site().open('/trash')
    const restore = page.getByRole('button', { name: 'Restore Lost Lagoon' })
    await restore.click()
    await restore.waitFor({ state: 'detached' })
    await page.getByText('Restored Lost Lagoon').waitFor()
    expect(await statusOf(id)).toBe(200)
    await page.getByRole('button', { name: 'Undo' }).click()
    await restore.waitFor()
    expect(await statusOf(id)).toBe(404)

    const { body } = await site().call('POST', '/api/kb/documents', { type: 'page', title: 'Old tide table' })
    const path = `/api/kb/documents/${body.id}`
    await site().call('DELETE', path)
    const kinds = page.getByRole('navigation', { name: 'Kinds' })
    await kinds.getByRole('link', { name: 'Pages' }).click()
    await page.getByRole('button', { name: 'Restore Old tide table' }).click()
    await page.getByText('Restored Old tide table').waitFor()
    expect((await site().call('GET', path)).status).toBe(200)
    for (const kind of ['Mails', 'Chats', 'Recordings', 'Files', 'Views']) {
      await kinds.getByRole('link', { name: kind }).click()
      await page.getByRole('heading', { name: `No deleted ${kind.toLowerCase()}` }).waitFor()
    }
  })

  it('restores several at once, and shows at once what another person deletes', async () => {
    const page = await site().open('/trash?kind=companies')
    await page.getByRole('link', { name: 'Companies' }).last().waitFor()
    const ids = [await createDeleted('Reed Bank'), await createDeleted('Mud Flat')]
    await page.getByRole('checkbox', { name: 'Select Reed Bank' }).click()
    await page.getByRole('checkbox', { name: 'Select Mud Flat' }).click()
    await page.getByRole('toolbar', { name: 'Selected' }).getByRole('button', { name: 'Restore' }).click()
    await page.getByText('Restored 2 companies').waitFor()
    expect(await Promise.all(ids.map(statusOf))).toEqual([200, 200])
  })

  it('says so when nothing is deleted', async () => {
    const page = await site().open('/trash?kind=products')
    await page.getByRole('heading', { name: 'No deleted products' }).waitFor()
  })

  it('is accessible in every look', async () => {
    await createDeleted('Salt Marsh')
    const page = await site().open('/trash?kind=companies')
    await inEveryLook(page, async name => {
      await page.getByRole('button', { name: 'Restore Salt Marsh' }).first().waitFor()
      await expectAccessible(page, name)
      await screenshot(page, `trash-${name}`)
    })
  })
})
