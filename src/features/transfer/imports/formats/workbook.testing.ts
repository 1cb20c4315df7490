/** Zip files and workbooks for tests. */
import { deflateRawSync } from 'node:zlib'

export function zipOf(files: Record<string, string | Buffer>, method: 0 | 8 = 8): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content)
    const packed = method === 8 ? deflateRawSync(bytes) : bytes
    const path = Buffer.from(name)
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE(method, 4)
    // no checksum: the reader does not look at it
    shared.writeUInt32LE(packed.length, 14)
    shared.writeUInt32LE(bytes.length, 18)
    shared.writeUInt16LE(path.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, path, packed])
    const entry = Buffer.alloc(46)
    entry.write('PK\x01\x02', 'latin1')
    shared.copy(entry, 6)
    entry.writeUInt32LE(offset, 42)
    directory.push(entry, path)
    locals.push(local)
    offset += local.length
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(directory.length / 2, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, entries, end])
}

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

export const relations = (targets: Record<string, [type: string, target: string]>): string =>
  `<Relationships>${Object.entries(targets)
    .map(
      ([id, [type, target]]) => `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`

const STYLES = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="00000"/>
  <numFmt numFmtId="165" formatCode="[$-409]d&quot;. day of &quot;mmm\\ yyyy;@"/>
  <numFmt numFmtId="166" formatCode="[Red]#,##0.00\\ &quot;dollars&quot;"/></numFmts>
  <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
  <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="164"/><xf numFmtId="9"/>
  <xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="20"/></cellXfs></styleSheet>`

/** The styles of cells, by their place in `STYLES`. */
export const STYLE = { date: 1, dateTime: 2, zeros: 3, percent: 4, ownDate: 5, money: 6, time: 7 }

interface Parts {
  sheets: Record<string, string>
  shared?: string[]
  workbook?: string
  hidden?: string
}

/** A workbook of sheets given as the XML of their rows. */
export const workbookOf = ({ sheets, shared = [], workbook = '', hidden }: Parts): Buffer => {
  const names = Object.keys(sheets)
  const listed = names.map(
    (name, i) =>
      `<sheet name="${name}" sheetId="${i + 1}" r:id="r${i}" ${name === hidden ? 'state="hidden"' : ''}/>`,
  )
  return zipOf({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relations({ w: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/workbook.xml': `<?xml version="1.0"?><workbook>${workbook}<sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations({
      ...Object.fromEntries(names.map((_, i) => [`r${i}`, ['worksheet', `worksheets/sheet${i}.xml`]])),
      s: ['sharedStrings', '/xl/sharedStrings.xml'],
      t: ['styles', 'styles.xml'],
    }),
    'xl/styles.xml': STYLES,
    'xl/sharedStrings.xml': `<sst>${shared.join('')}</sst>`,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, i) => [
        `xl/worksheets/sheet${i}.xml`,
        `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
  })
}

/** A sheet of texts. */
export const sheetOf = (rows: readonly (readonly string[])[]): string =>
  rows
    .map(cells => `<row>${cells.map(text => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`)
    .join('')
