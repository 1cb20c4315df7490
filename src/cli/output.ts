/** What commands print: results on the standard output, progress on a terminal only. */

export const printJson = (value: unknown): void => console.log(JSON.stringify(value, null, 2))

/** Rows under a line of headings, each column as wide as its longest cell. */
export function table(headings: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const cells = [headings, ...rows].map(row => row.map(cell => (cell == null ? '' : String(cell))))
  const widths = headings.map((_, column) => Math.max(...cells.map(row => row[column]?.length ?? 0)))
  return cells
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export interface Progress {
  show(done: number, total: number | null | undefined): void
  end(): void
}

const BAR = 30

/** A bar on a terminal; nothing where the output goes to a file or another program. */
export function progress(label: string, stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) return { show() {}, end() {} }
  return {
    show(done, total) {
      const share = total ? Math.min(1, done / total) : 0
      const bar = total
        ? `[${'█'.repeat(Math.round(share * BAR)).padEnd(BAR)}] ${Math.floor(share * 100)}%`
        : done
      stream.write(`\r\x1b[K${label} ${bar}`)
    },
    end: () => void stream.write('\r\x1b[K'),
  }
}
