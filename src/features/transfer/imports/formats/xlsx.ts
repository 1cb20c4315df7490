/** Reads a sheet of an XLSX workbook (ECMA-376), row by row; only its shared texts are in memory. */
import { errors } from '../../../../kernel/errors.ts'
import { MAX_ROWS } from '../analyse.ts'
import { CsvError, MAX_CELLS, MAX_RECORD_CHARACTERS } from '../csv-parser.ts'
import type { TableWriter } from './table.ts'
import { columnOf, kindAt, type NumberKind, numberKind, numberText, unescapedText } from './xlsx-cells.ts'
import { parseXml, readXml } from './xml.ts'
import { openZip, type Zip } from './zip.ts'

export interface Sheets {
  /** the sheet that was read */
  sheet: string
  others: string[]
  /** formulas whose value the program that wrote the file has not stored */
  uncomputed: number
}

/** A million texts of 50 characters. */
const MAX_SHARED_CHARACTERS = 50_000_000
const MAX_SHARED_TEXTS = 2_000_000
const MAX_SHEETS = 1000

interface Workbook {
  zip: Zip
  shared: string[]
  kinds: NumberKind[]
  is1904: boolean
}

/** `sheetName`: without it, the first visible sheet is read. */
export async function readSheet(
  path: string,
  sheetName: string | undefined,
  table: TableWriter,
): Promise<Sheets> {
  const zip = await openZip(path)
  const main = [...(await relationsOf(zip, '')).values()].find(({ type }) => type === 'officeDocument')
  if (!main || !zip.has(main.target) || main.target.endsWith('.bin'))
    throw errors.unsupportedMedia('This zip file is not an XLSX workbook: save the table as XLSX or CSV')
  const { sheets, is1904 } = await workbookOf(zip, main.target)
  const relations = await relationsOf(zip, main.target)
  const partOf = (type: string) => [...relations.values()].find(relation => relation.type === type)?.target
  const readable = sheets.flatMap(sheet => {
    const relation = relations.get(sheet.relation)
    return relation?.type === 'worksheet' && zip.has(relation.target)
      ? [{ ...sheet, part: relation.target }]
      : []
  })
  const chosen =
    sheetName === undefined
      ? (readable.find(({ isHidden }) => !isHidden) ?? readable[0])
      : readable.find(({ name }) => name.toLowerCase() === sheetName.trim().toLowerCase())
  if (!chosen) {
    const names = readable.map(({ name }) => name).join(', ')
    if (sheetName === undefined) throw new CsvError(1, 'the workbook has no sheet')
    throw errors.invalidValue(['body', 'sheet'], `there is no such sheet: take one of ${names}`, sheetName)
  }
  const workbook: Workbook = {
    zip,
    is1904,
    shared: await sharedTexts(zip, partOf('sharedStrings')),
    kinds: await numberKinds(zip, partOf('styles')),
  }
  const uncomputed = await writeRows(workbook, chosen.part, table)
  const others = readable.filter(sheet => sheet !== chosen).map(({ name }) => name)
  return { sheet: chosen.name, others, uncomputed }
}

interface Relation {
  type: string
  target: string
}

/** The parts that a part names, by the id it names them with. `''`: those of the package. */
async function relationsOf(zip: Zip, part: string): Promise<Map<string, Relation>> {
  const folder = part.replace(/[^/]*$/, '')
  const name = `${folder}_rels/${part.slice(folder.length)}.rels`
  const relations = new Map<string, Relation>()
  if (!zip.has(name)) return relations
  await readXml(zip.read(name), {
    open(element, { Id, Type = '', Target = '' }) {
      if (element !== 'Relationship' || Id === undefined) return
      const target = Target.startsWith('/') ? Target.slice(1) : resolved(`${folder}${Target}`)
      relations.set(Id, { type: Type.replace(/^.*\//, ''), target })
    },
  })
  return relations
}

const resolved = (path: string): string => new URL(path, 'zip://x/').pathname.slice(1)

async function workbookOf(zip: Zip, part: string) {
  const sheets: { name: string; relation: string; isHidden: boolean }[] = []
  let is1904 = false
  await readXml(zip.read(part), {
    open(element, attributes) {
      if (element === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '')
      if (element !== 'sheet' || sheets.length === MAX_SHEETS) return
      const relation = Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? ''
      sheets.push({
        name: attributes.name ?? '',
        relation,
        isHidden: 'state' in attributes && attributes.state !== 'visible',
      })
    },
  })
  return { sheets, is1904 }
}

async function sharedTexts(zip: Zip, part: string | undefined): Promise<string[]> {
  const texts: string[] = []
  if (part === undefined || !zip.has(part)) return texts
  let characters = 0
  const reader = textReader(text => {
    texts.push(text)
    characters += text.length
    if (characters > MAX_SHARED_CHARACTERS || texts.length > MAX_SHARED_TEXTS)
      throw new CsvError(1, 'the workbook has more text than can be read at once: save the sheet as CSV')
  }, 'si')
  await readXml(zip.read(part), reader)
  return texts
}

/** The texts of elements called `element`: of all the runs in them, without the pronunciation that some have. */
function textReader(take: (text: string) => void, element: string) {
  let text = ''
  let isText = false
  let phonetic = 0
  return {
    open(name: string) {
      if (name === element) text = ''
      if (name === 'rPh') phonetic++
      isText = name === 't' && phonetic === 0
    },
    text(piece: string) {
      if (!isText) return
      text += piece
      if (text.length > MAX_RECORD_CHARACTERS)
        throw new CsvError(1, `a cell of the workbook is longer than ${MAX_RECORD_CHARACTERS} characters`)
    },
    close(name: string) {
      isText = false
      if (name === 'rPh') phonetic--
      if (name === element) take(unescapedText(text))
    },
  }
}

/** Of each cell style: what its numbers are. */
async function numberKinds(zip: Zip, part: string | undefined): Promise<NumberKind[]> {
  const codes = new Map<number, string>()
  const ids: number[] = []
  if (part === undefined || !zip.has(part)) return []
  let isOfCells = false
  await readXml(zip.read(part), {
    open(name, attributes) {
      if (name === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '')
      if (name === 'cellXfs') isOfCells = true
      // Excel writes 65,490 styles at most.
      if (name === 'xf' && isOfCells && ids.length < 65_490) ids.push(Number(attributes.numFmtId ?? 0))
    },
    close(name) {
      if (name === 'cellXfs') isOfCells = false
    },
  })
  return ids.map(id => numberKind(id, codes.get(id)))
}

/** Returns how many formulas have no value. */
async function writeRows(workbook: Workbook, part: string, table: TableWriter): Promise<number> {
  let complete: { number: number; cells: string[] }[] = []
  let written = 0
  const handler = rowReader(workbook, (number, cells) => complete.push({ number, cells }))
  for await (const _ of parseXml(workbook.zip.read(part), handler)) {
    for (const { number, cells } of complete) {
      if (number <= written)
        throw new CsvError(number, `the rows of the sheet are out of order at row ${number}`)
      // Empty rows are not in the file; here they are empty lines, so that row 8 stays row 8.
      while (++written < number) await table.row([])
      await table.row(cells)
    }
    complete = []
  }
  if (written === 0) throw new CsvError(1, 'the sheet is empty')
  return handler.uncomputed()
}

function rowReader({ shared, kinds, is1904 }: Workbook, take: (number: number, cells: string[]) => void) {
  let number = 0
  let cells: string[] = []
  let column = -1
  let type = 'n'
  let kind: NumberKind = { as: 'number' }
  let text = ''
  let size = 0
  let isValue = false
  let isFormula = false
  let hasValue = false
  let uncomputed = 0
  const inline = textReader(inlineText => {
    text = inlineText
  }, 'is')

  function checkRow(): void {
    if (number > MAX_ROWS) throw new CsvError(number, `the sheet has more than ${MAX_ROWS} rows`)
  }

  function endCell(): void {
    const value = type === 's' ? sharedAt(text) : type === 'inlineStr' ? text : typedValue()
    if (value === '') return
    if (column < 0 || column >= MAX_CELLS)
      throw new CsvError(number, `row ${number} has more than ${MAX_CELLS} columns`)
    size += value.length
    if (size > MAX_RECORD_CHARACTERS)
      throw new CsvError(number, `row ${number} is longer than ${MAX_RECORD_CHARACTERS} characters`)
    while (cells.length < column) cells.push('')
    cells[column] = value
  }

  function sharedAt(index: string): string {
    const text = shared[Number(index)]
    if (text === undefined && index !== '')
      throw new CsvError(number, `row ${number} names a text that the workbook does not have`)
    return text ?? ''
  }

  function typedValue(): string {
    if (type === 'n') return numberText(text, kind, is1904)
    if (type === 'b') return text === '1' ? 'true' : text === '0' ? 'false' : text
    return unescapedText(text)
  }

  return {
    uncomputed: () => uncomputed,
    open(name: string, attributes: Record<string, string>) {
      inline.open(name)
      if (name === 'row') {
        number = attributes.r === undefined ? number + 1 : Number(attributes.r)
        if (!Number.isInteger(number)) throw new CsvError(1, 'the sheet has a row without a number')
        checkRow()
        cells = []
        column = -1
        size = 0
      } else if (name === 'c') {
        column = attributes.r === undefined ? column + 1 : columnOf(attributes.r)
        type = attributes.t ?? 'n'
        kind = kindAt(kinds, attributes.s)
        text = ''
        isFormula = false
        hasValue = false
      }
      isValue = name === 'v'
      hasValue ||= isValue
      isFormula ||= name === 'f'
    },
    text(piece: string) {
      inline.text(piece)
      if (!isValue) return
      text += piece
      if (text.length > MAX_RECORD_CHARACTERS) endCell()
    },
    close(name: string) {
      inline.close(name)
      isValue = false
      if (name === 'c') {
        if (isFormula && !hasValue) uncomputed++
        endCell()
      }
      if (name === 'row' && cells.length > 0) take(number, cells)
    },
  }
}
