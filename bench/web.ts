/**
 * `npm run bench:web -- [rows]`: the list of contacts in Chromium, without a graphics processor. Processor time depends
 * less on what else the machine does than the time between frames.
 */
import { chromium, type Page, type Response } from 'playwright-core'
import { executablePath } from '../test/support/chromium.ts'
import { seedRecords } from './seed-records.ts'
import { benchService } from './service.ts'

const PORT = 18_717
const ROWS = Number(process.argv[2] ?? 100_000)
const FRAMES = 300
const PERSON = { email: 'bench@people.test', password: 'a long enough password' }

if (executablePath === undefined) throw new Error('No Chromium is installed: install it or set CHROMIUM')
const service = await benchService('server', PORT, { KITH_REGISTRATION: 'open', KITH_INDEXER: 'false' })
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
try {
  const person = JSON.stringify({ ...PERSON, name: 'Bench', account_name: 'Bench' })
  await service.call('POST', '/api/auth/register', person, 'application/json')
  await seedRecords(service.databaseUrl ?? '', {
    contacts: ROWS,
    companies: 1000,
    deals: 1000,
    activities: 1000,
  })
  const page = await signedIn()
  const { script, requests, ms } = await firstView(page)
  console.log(`script of the first view: ${(script / 1000).toFixed(1)} kB in ${requests} files`)
  console.log(`first row: ${ms} ms, with an empty cache`)
  console.log(`first row: ${await firstRow(page)} ms, with the script in the cache`)
  for (const [name, step] of [
    ['scrolling slowly', 30],
    ['scrolling fast', 2000],
    // the whole list in as many frames
    ['dragging the scrollbar', Math.ceil((ROWS * 36) / FRAMES)],
  ] as const)
    console.log(`${name}, ${step} px a frame: ${await scroll(page, step)}`)
} finally {
  await browser.close()
  await service.stop()
}

async function signedIn(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
  const headers = { 'x-kith-session': '1' }
  await context.request.post(`http://127.0.0.1:${PORT}/api/session`, { data: PERSON, headers })
  await context.addInitScript(`localStorage['kith.session'] = 'yes'`)
  return context.newPage()
}

/** What the list loads by itself, as it is transferred. */
async function firstView(page: Page): Promise<{ script: number; requests: number; ms: number }> {
  const sizes: number[] = []
  const count = (response: Response) => {
    if (response.url().endsWith('.js')) sizes.push(Number(response.headers()['content-length']))
  }
  page.on('response', count)
  const ms = await firstRow(page)
  page.off('response', count)
  return { script: sizes.reduce((sum, size) => sum + size, 0), requests: sizes.length, ms }
}

/** Milliseconds from the request of the page to the first row with a name. */
async function firstRow(page: Page): Promise<number> {
  await page.goto(`http://127.0.0.1:${PORT}/contacts`, { waitUntil: 'commit' })
  await page.locator('[data-cell="0:0"] a').waitFor()
  return Math.round(await page.evaluate<number>('performance.now()'))
}

/** Scrolls a step in each frame; skeletons are rows, too, until their window has been read. */
async function scroll(page: Page, step: number): Promise<string> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable')
  const busy = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return ['TaskDuration', 'ScriptDuration'].map(
      name => (metrics.find(metric => metric.name === name)?.value ?? 0) * 1000,
    )
  }
  await page.evaluate(`document.querySelector('[role=grid]').scrollTop = 0`)
  const [task = 0, script = 0] = await busy()
  const times = await page.evaluate<number[]>(`new Promise(resolve => {
    const grid = document.querySelector('[role=grid]')
    const times = []
    const frame = time => {
      times.push(time)
      if (times.length > ${FRAMES}) return resolve(times)
      grid.scrollTop += ${step}
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })`)
  const [taskAfter = 0, scriptAfter = 0] = await busy()
  const frames = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  const sorted = frames.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)
  const perFrame = (ms: number) => (ms / frames.length).toFixed(1)
  return `frames ${at(0.5)} ms, 95 % within ${at(0.95)} ms; main thread ${perFrame(taskAfter - task)} ms a frame, script ${perFrame(scriptAfter - script)} ms`
}
