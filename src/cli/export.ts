/** `kith export`: records of the running service as a file. */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kith, Schemas } from '#client'
import { loadConfig } from '../config.ts'
import { command, UsageError } from './command.ts'
import { kindOf } from './kinds.ts'
import { progress } from './output.ts'
import { clientOf } from './service-client.ts'

type Export = Schemas['Export']

const POLL_MS = 250

export const exportRecords = command({
  summary: 'exports records of a kind, or `account` for everything an account owns',
  about:
    'Writes to the standard output unless --output is set. The archive of an account is what kith restore reads.',
  positionals: ['<kind>'],
  options: {
    output: { type: 'string', short: 'o', value: 'file', about: 'the file to write' },
    format: { type: 'string', values: ['csv', 'json'], about: 'csv unless set; json is one record a line' },
    where: { type: 'string', value: 'json', about: 'a condition as in POST /api/query' },
    fields: { type: 'string', value: 'a,b', about: 'the fields, separated by commas' },
  },
  examples: [
    'kith export contacts --output contacts.csv',
    `kith export deals --where '{"field": "status", "value": "open"}' --fields name,amount`,
    'kith export account --output account.tar.gz',
  ],
  async run({ values, positionals: [name = ''] }) {
    const isAccount = name === 'account'
    const kind = isAccount ? 'account' : kindOf(name)
    if (isAccount && values.output === undefined)
      throw new UsageError('kith export account needs --output <file>.')
    const kith = clientOf(loadConfig())
    const started = await kith.exports.create({
      entity_type: kind,
      ...(values.format === undefined ? {} : { format: values.format === 'json' ? 'json' : 'csv' }),
      ...(values.where === undefined ? {} : { where: conditionOf(values.where) }),
      ...(values.fields === undefined ? {} : { fields: values.fields.split(',').map(field => field.trim()) }),
    })
    const done = await follow(kith, started)
    const path = { export_id: done.id }
    const { body } = await kith.response('GET', '/api/exports/{export_id}/download', { path })
    if (body) await save(body, values.output)
    if (values.output !== undefined) console.error(`${done.row_count ?? 0} rows in ${values.output}`)
  },
})

function conditionOf(text: string): Record<string, unknown> {
  try {
    const condition: unknown = JSON.parse(text)
    if (typeof condition === 'object' && condition !== null) return { ...condition }
  } catch {
    // the same message
  }
  throw new UsageError(`--where must be JSON such as '{"field": "status", "value": "open"}'.`)
}

async function follow(kith: Kith, started: Export): Promise<Export> {
  const bar = progress('Exporting')
  let current = started
  while (current.status === 'queued' || current.status === 'running') {
    if (current.job_id !== null) {
      const { done, total } = (await kith.jobs.get(current.job_id)).progress
      bar.show(done, total)
    }
    await sleep(POLL_MS)
    current = await kith.exports.get(current.id)
  }
  bar.end()
  if (current.status === 'failed') throw new Error(`The export failed: ${current.error}`)
  return current
}

async function save(body: ReadableStream, path: string | undefined): Promise<void> {
  const source = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0])
  if (path === undefined) await pipeline(source, process.stdout, { end: false })
  else await pipeline(source, createWriteStream(path, { mode: 0o600 }))
}
