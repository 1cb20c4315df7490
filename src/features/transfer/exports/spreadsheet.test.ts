/** What a real spreadsheet makes of an export whose values try to be formulas. Runs where LibreOffice is installed. */
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { csvLine, defused, quoted } from './csv-text.ts'

const FORMULAS = [
  '=1+1',
  '=HYPERLINK("http://evil.example","x")',
  '+1+1',
  '+49 30 23125 100',
  '-1+1',
  '@SUM(1)',
  '  =1+1',
  '\t=1+1',
  '\r\n=1+1',
  '\n=1+1',
  '\ufeff=1+1',
  '\u200b=1+1',
  '＝1+1',
  "'=1+1",
  '=cmd|"/c calc"!A1',
  '="a"&"b"',
]

const isInstalled = (() => {
  try {
    execFileSync('soffice', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/** Comma, quotes, UTF-8, from row 1, and formulas evaluated: what a person who clicks everything away gets. */
const AS_CSV = '--infilter=CSV:44,34,76,1,,0,false,true,false,false,false,-1,true'

async function formulaCells(cells: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'kith-sheet-'))
  try {
    const path = join(folder, 'export.csv')
    writeFileSync(path, cells.map(cell => csvLine(['x', quoted(cell), 'y'])).join(''))
    const profile = `-env:UserInstallation=file://${folder}/profile`
    const args = [profile, '--headless', AS_CSV, '--convert-to', 'fods', '--outdir', folder, path]
    await promisify(execFile)('soffice', args, { timeout: 120_000 })
    return readFileSync(join(folder, 'export.fods'), 'utf8').match(/table:formula=/g)?.length ?? 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe.skipIf(!isInstalled)('LibreOffice', { timeout: 300_000 }, () => {
  it('finds no formula among the cells of an export, and finds them in what was not defused', async () => {
    expect(await formulaCells(FORMULAS)).toBeGreaterThan(3)
    expect(await formulaCells(FORMULAS.map(defused))).toBe(0)
  })
})
