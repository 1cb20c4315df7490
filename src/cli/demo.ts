/** `kith demo`, and the offer of the first start. */
import { createInterface } from 'node:readline/promises'
import { loadConfig } from '../config.ts'
import type { Filled, OnProgress } from '../features/demo/index.ts'
import type { Service } from '../service.ts'
import { command, json, UsageError } from './command.ts'
import { explain } from './failure.ts'
import { printJson, progress } from './output.ts'

export const demo = command({
  summary: 'fills an empty account with the records of an invented company',
  about:
    'With the embedded database, stop the service first. It prints the operation whose undo removes the records again.',
  options: {
    account: { type: 'string', value: 'id or slug', about: 'the account; the first one unless set' },
    today: { type: 'string', value: 'date', about: 'the day on which the two years end; today unless set' },
    force: { type: 'boolean', about: 'also into an account with records' },
    json,
  },
  examples: ['kith demo', 'kith demo --today 2026-01-31'],
  async run({ values: { account, today, force, json } }) {
    if (today !== undefined && !/^\d{4}-\d\d-\d\d$/.test(today))
      throw new UsageError('--today is a date such as 2026-01-31')
    const { fillWithDemo } = await import('../service.ts')
    const filled = await withBar(onProgress =>
      fillWithDemo(loadConfig(), { account, today, isForced: force, onProgress }),
    )
    if (json) printJson(filled)
    else console.log(filledText(filled) + keyText(filled.new_key))
  },
})

async function withBar<T>(fill: (onProgress: OnProgress) => Promise<T>): Promise<T> {
  const bar = progress('Filling the account')
  try {
    return await fill(bar.show)
  } finally {
    bar.end()
  }
}

function filledText({ counts, operation_id }: Filled): string {
  const parts = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
  return `The account has demo data: ${parts.join(', ')}.\nTo remove it: POST /api/operations/${operation_id}/undo`
}

const keyText = (key: string | undefined): string =>
  key === undefined ? '' : `\n\nYour API key, shown this once:\n  ${key}`

/** Asks on a terminal after the first start. The service runs whatever the answer is. */
export async function offerDemo({ fillDemo }: Pick<Service, 'fillDemo'>): Promise<void> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const question = 'Fill the account with demo data to try it out? [y/N] '
  const answer = await terminal.question(question).catch(() => '')
  terminal.close()
  if (!/^y(es)?$/i.test(answer.trim())) return
  console.log(await withBar(fillDemo).then(filledText, explain))
}
