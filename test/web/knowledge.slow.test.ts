/** The knowledge base: a page is written, published, compared with its revisions, moved and deleted. */
import type { Page, Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { inBrowser, inEveryLook } from '../support/browser.ts'
import { expectAccessible, screenshot } from '../support/page-problems.ts'
import { waitFor } from '../support/process.ts'
import { request } from '../support/service.ts'

inBrowser('the knowledge base', site => {
  it('writes a page, publishes it, restores a revision, moves and deletes it', async () => {
    const page = await site().open('/knowledge', { expected: /status of 4(09|22)|ERR_FAILED/ })
    // the live update shows the new folder before the request is answered: it asks for its name all the same
    const late = async (route: Route) => {
      const response = await route.fetch()
      await page.getByRole('link', { name: 'New folder' }).waitFor()
      await route.fulfill({ response })
    }
    await page.route('**/api/kb/documents', late, { times: 1 })
    await page.getByRole('button', { name: 'New folder' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Gates')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Gates' }).waitFor()
    // a key that is typed before the page is there presses the button once more
    const typing = async (route: Route) => {
      await page.keyboard.press('Enter')
      await route.continue()
    }
    await page.route('**/api/kb/documents', typing, { times: 1 })
    await page.getByRole('button', { name: 'New page' }).click()
    await page.waitForURL(/\/knowledge\/[0-9a-f-]{36}/)
    const id = page.url().split('/').at(-1)
    const read = async () => (await site().call('GET', `/api/kb/documents/${id}`)).body
    // at the end of the tree, with its title to be written; the address follows the title
    const tree = (await site().call('GET', '/api/kb/tree')).body
    expect(tree.slice(-2)).toMatchObject([{ title: 'Gates' }, { id, slug: 'untitled' }])
    await page.locator('input[aria-label="Title"]:focus').waitFor()
    await page.keyboard.type('Sluice checks')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Sluice checks' }).waitFor()
    expect((await read()).slug).toBe('sluice-checks')

    const text = page.getByRole('textbox', { name: 'Text of the page' })
    await text.click()
    await page.keyboard.type('## Every spring\nOpen the gate.\n- Grease the hinge')
    await page.keyboard.press('ControlOrMeta+s')
    await waitFor(async () =>
      /## Every spring\n\nOpen the gate\.\n\n- Grease the hinge/.test((await read()).content_markdown),
    )

    await page.getByRole('switch', { name: 'Public page' }).click()
    await page.getByRole('button', { name: 'Change the address' }).click()
    // one that is refused stays, with the reason
    await page.getByLabel('Last part of the address').fill('gate/checks')
    await page.keyboard.press('Enter')
    await page
      .getByRole('dialog')
      .getByText(/^An address has letters, digits/)
      .waitFor()
    await page.getByLabel('Last part of the address').fill('gate-checks')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: /gate-checks$/ }).waitFor()
    const address = await page.getByRole('link', { name: /^\/kb\// }).getAttribute('href')
    // the switch shows the address before the service has answered
    await waitFor(async () => /Grease the hinge/.test((await request(`${site().url}${address}`, 'GET')).text))

    await text.getByText('Open the gate.').click()
    await page.keyboard.press('End')
    // closed before the save: what was typed is there again, and is saved
    await page.route(`**/api/kb/documents/${id}`, route =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    )
    await page.keyboard.type(' Slowly.')
    await text.getByText('Slowly.').waitFor()
    await page.reload()
    await page.unrouteAll()
    await text.getByText('Slowly.').waitFor()
    await waitFor(async () => /Slowly/.test((await read()).content_markdown))
    await page.getByRole('button', { name: 'Revisions' }).click()
    const changes = page.getByRole('region', { name: 'Changes of this revision' })
    // one sitting, as a single entry, until every save is asked for
    await changes.getByText('+ - Grease the hinge').waitFor()
    await page.getByRole('button', { name: /^Show all \d+ saves/ }).click()
    await changes.getByText('+ Open the gate. Slowly.').waitFor()
    await expectAccessible(page)
    await page.getByRole('list', { name: 'Revisions' }).getByRole('button').nth(1).click()
    await page.getByRole('button', { name: 'Restore this revision' }).click()
    await text.getByText('Open the gate.', { exact: true }).waitFor()
    expect((await read()).content_markdown).not.toMatch(/Slowly/)

    const more = page.getByRole('button', { name: 'More of Sluice checks' })
    await more.click()
    await page.getByRole('menuitem', { name: 'Move to…' }).click()
    await page.getByRole('combobox', { name: /^Folder/ }).click()
    await page.getByRole('option', { name: 'Service' }).click()
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByText('Moved Sluice checks').waitFor()
    expect((await read()).parent_id).not.toBeNull()
    await more.click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const deleted = page.locator('[data-toast]', { hasText: 'Deleted Sluice checks' })
    await deleted.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Sluice checks' }).waitFor()
  })

  it('shows what another person writes, and stores every kind of block unchanged', async () => {
    const content_markdown =
      '> [!NOTE]\n> Read this\n\n- [ ] Open\n- [x] Done\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```js\nx\n```\n\n![Plan](https://pictures.example/plan.png)\n\n<mark>new</mark>'
    const { body } = await site().call('POST', '/api/kb/documents', {
      type: 'page',
      title: 'All blocks',
      content_markdown,
    })
    const path = `/api/kb/documents/${body.id}`
    const before = (await site().call('GET', path)).body.content_markdown
    const page = await site().open(`/knowledge/${body.id}`, { expected: /status of 412/ })
    await page.getByRole('checkbox', { name: 'Done' }).first().check()
    await page.getByRole('textbox', { name: 'Text of the page' }).getByText('Read this').click()
    await page.keyboard.press('ControlOrMeta+s')
    await waitFor(async () => /- \[x\] Open/.test((await site().call('GET', path)).body.content_markdown))
    const after = (await site().call('GET', path)).body.content_markdown
    expect(after).toBe(before.replace('- [ ] Open', '- [x] Open'))

    await page.getByRole('textbox', { name: 'Title' }).focus()
    await site().call('PUT', path, { content_markdown: 'Written elsewhere' })
    await page.getByText('Written elsewhere').waitFor()

    // both write at once: the person sees both texts and chooses
    const held = new Promise<Route>(resolve =>
      page.route(
        url => url.pathname === path,
        route => (route.request().method() === 'PUT' ? resolve(route) : route.continue()),
      ),
    )
    await page.getByText('Written elsewhere').click()
    await page.keyboard.press('End')
    await page.keyboard.type(', and here')
    const save = await held
    await site().call('PUT', path, { content_markdown: 'Written by Ann' })
    await save.continue()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Compare' }).click()
    const both = page.getByRole('region', { name: 'Theirs and yours' })
    await both.getByText('− Written by Ann').waitFor()
    await both.getByText('+ Written elsewhere, and here').waitFor()
    expect((await site().call('GET', path)).body.content_markdown).toBe('Written by Ann')
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Keep mine' }).click()
    await page.getByRole('status').getByText('Changed').waitFor()
    expect((await site().call('GET', path)).body.content_markdown).toBe('Written elsewhere, and here')
  })

  it('does not take back what it shows while others write', async () => {
    const { body } = await site().call('POST', '/api/kb/documents', { type: 'page', title: 'Locks' })
    const path = `/api/kb/documents/${body.id}`
    const page = await site().open(`/knowledge/${body.id}`)
    const isPublic = page.getByRole('switch', { name: 'Public page' })
    await isPublic.waitFor()
    const other = await site().open(`/knowledge/${body.id}`)
    const titleOn = (one: Page) => one.getByRole('textbox', { name: 'Title' }).inputValue()
    const reads: string[] = []
    const held = new Promise<Route>(resolve =>
      page.route(
        url => url.pathname === path,
        route => {
          if (route.request().method() === 'PATCH') return resolve(route)
          reads.push(route.request().method())
          return route.continue()
        },
      ),
    )
    await isPublic.click()
    const publish = await held
    await site().call('PATCH', path, { title: 'Sluices' })
    await expect.poll(() => titleOn(other)).toBe('Sluices')
    expect(reads, 'before the service has answered').toEqual([])
    expect(await isPublic.getAttribute('aria-checked')).toBe('true')
    await publish.continue()
    await expect.poll(() => titleOn(page)).toBe('Sluices')
  })

  it('is accessible in every look', async () => {
    const { body } = await site().call('GET', '/api/kb/tree')
    const page = await site().open(`/knowledge/${body[0].children[0].id}`)
    await inEveryLook(page, async look => {
      await page.getByRole('textbox', { name: 'Text of the page' }).waitFor()
      await expectAccessible(page, look)
      await screenshot(page, `knowledge-${look}`)
    })
  })
})
