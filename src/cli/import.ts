/** `kith import`: a file into the running service, with the mapping that the service suggests. */
import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kith, Schemas } from '#client'
import { loadConfig } from '../config.ts'
import { codeOf } from '../lib/thrown.ts'
import { command, json, UsageError } from './command.ts'
import { kindNames, kindOf } from './kinds.ts'
import { printJson, progress } from './output.ts'
import { clientOf } from './service-client.ts'

type Import = Schemas['Import']

const STRATEGIES = ['skip', 'update', 'create'] as const
const POLL_MS = 250
const SHOWN_ERRORS = 10

export const importFile = command({
  summary: 'imports a CSV, XLSX, JSON, vCard or iCalendar file',
  about: 'The service maps columns to fields by their names and values. Exit code 1 if rows failed.',
  positionals: ['<file>'],
  options: {
    as: { type: 'string', value: 'kind', values: kindNames, about: 'the kind of the records' },
    duplicates: {
      type: 'string',
      values: STRATEGIES,
      about: 'for rows whose record exists; skip unless set',
    },
    source: {
      type: 'string',
      value: 'name',
      about: 'the system that the file comes from: hubspot, pipedrive, …',
    },
    pipeline: { type: 'string', value: 'name', about: 'of deals whose row names none' },
    'create-fields': { type: 'boolean', about: 'create custom fields for columns without a field' },
    'dry-run': { type: 'boolean', about: 'show what would happen, and change nothing' },
    json,
  },
  examples: [
    'kith import people.csv --as contacts',
    'kith import deals.xlsx --as deals --duplicates update --dry-run',
  ],
  async run({ values, positionals: [path = ''] }) {
    if (values.as === undefined) throw new UsageError(`kith import needs --as ${kindNames.join('|')}.`)
    const kith = clientOf(loadConfig())
    const uploaded = await kith.imports.create({
      file: await fileAt(path),
      entity_type: kindOf(values.as),
      options: {
        ...(values.duplicates === undefined ? {} : { duplicate_strategy: strategyOf(values.duplicates) }),
        ...(values.source === undefined ? {} : { source: values.source }),
        ...(values.pipeline === undefined ? {} : { pipeline: values.pipeline }),
        ...(values['create-fields'] ? { create_fields: true } : {}),
      },
    })
    const done = await follow(kith, uploaded, values['dry-run'])
    const errors = done.error_count > 0 ? await problemsOf(kith, done.id, 'error') : []
    const lost = done.warning_count > 0 ? await problemsOf(kith, done.id, 'warning') : []
    if (values.json) printJson({ ...done, errors, lost_values: lost })
    else console.log(report(done, errors, lost, values['dry-run']))
    if (done.error_count > 0 || !['completed', 'ready'].includes(done.status)) process.exitCode = 1
  },
})

const strategyOf = (name: string) => STRATEGIES.find(one => one === name) ?? 'skip'

/** Not read into memory: it is sent from the disk. */
async function fileAt(path: string): Promise<File> {
  try {
    return new File([await openAsBlob(path)], basename(path))
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT' || codeOf(error) === 'ERR_INVALID_ARG_VALUE'
    throw isMissing ? new Error(`There is no file ${path} that can be read.`) : error
  }
}

/** Starts the import or its dry run and waits for the end. */
async function follow(kith: Kith, { id }: Import, isDryRun: boolean): Promise<Import> {
  const path = { import_id: id }
  let current = isDryRun
    ? await kith.request('POST', '/api/imports/{import_id}/validate', { path })
    : await kith.request('POST', '/api/imports/{import_id}/start', { path })
  const bar = progress(isDryRun ? 'Checking' : 'Importing')
  while (current.status === 'validating' || current.status === 'running') {
    bar.show(current.processed_rows, current.total_rows)
    await sleep(POLL_MS)
    current = await kith.imports.get(id)
  }
  bar.end()
  return current
}

/** The first rows that failed, or values that rows were imported without. */
async function problemsOf(kith: Kith, id: string, severity: 'error' | 'warning') {
  const { items } = await kith.request('GET', '/api/imports/{import_id}/errors', {
    path: { import_id: id },
    query: { page_size: SHOWN_ERRORS, severity },
  })
  return items
}

type Problem = Schemas['ImportError']

function report(
  done: Import,
  errors: readonly Problem[],
  lost: readonly Problem[],
  isDryRun: boolean,
): string {
  const { total_rows, created_count, updated_count, skipped_count, error_count, warning_count } = done
  const would = isDryRun ? 'would be ' : ''
  const counts =
    `${total_rows} rows: ${would}${created_count} created, ${updated_count} updated, ` +
    `${skipped_count} skipped, ${error_count} failed`
  const lines = [
    done.error === null ? counts : `${counts}. ${done.error}`,
    ...done.warnings.map(({ column, message }) => `  ${column === null ? '' : `${column}: `}${message}`),
    ...errors.map(line),
  ]
  if (error_count > errors.length) lines.push(`  … all of them: /api/imports/${done.id}/errors.csv`)
  if (warning_count > 0) {
    lines.push(
      `  Left out of rows that ${isDryRun ? 'would go' : 'went'} in: ${warning_count}`,
      ...lost.map(line),
    )
    if (warning_count > lost.length)
      lines.push(`  … all of them: /api/imports/${done.id}/errors?severity=warning`)
  }
  return lines.join('\n')
}

const line = ({ row, column, message }: Problem): string =>
  `  row ${row}${column === null ? '' : `, ${column}`}: ${message}`
