/** Draws the ratios of a run as bars on a logarithmic scale; the line at 1 is the plain floor, a tick is what is wanted. */
import type { Result } from './run.ts'

const [WIDTH, LEFT, RIGHT, ROW, TOP] = [780, 272, 60, 26, 56]
/** the ratios at the ends of the scale */
const [LEAST, MOST] = [0.1, 40]

const TITLE = 'Requests a second, as a multiple of a plain handler on one table'

export function picture(results: readonly Result[], caption: string): string {
  const x = (ratio: number) => {
    const share = Math.log(Math.min(MOST, Math.max(LEAST, ratio)) / LEAST) / Math.log(MOST / LEAST)
    return Math.round(LEFT + share * (WIDTH - LEFT - RIGHT))
  }
  const height = TOP + results.length * ROW + 16
  const bars = results.map(({ name, connections, ratio, wanted }, i) => {
    const y = TOP + i * ROW
    const [from, to] = [Math.min(x(1), x(ratio)), Math.max(x(1), x(ratio))]
    const label = `${name}, ${connections} connection${connections === 1 ? '' : 's'}`
    return [
      `<text x="${LEFT - 10}" y="${y + 14}" text-anchor="end">${label}</text>`,
      `<rect x="${from}" y="${y + 3}" width="${Math.max(2, to - from)}" height="14" rx="2" fill="${ratio < wanted ? '#c2813a' : '#2f7d6b'}"/>`,
      `<line x1="${x(wanted)}" x2="${x(wanted)}" y1="${y}" y2="${y + 20}" stroke="#777" stroke-width="2"/>`,
      `<text x="${Math.max(to, x(wanted)) + 8}" y="${y + 14}">${ratio.toFixed(2)}</text>`,
    ].join('\n')
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="#888">
<title>${TITLE}</title>
<text x="16" y="22" font-size="14" font-weight="600">${TITLE}</text>
<text x="16" y="40">${caption}; grey ticks: wanted; logarithmic scale</text>
<line x1="${x(1)}" x2="${x(1)}" y1="${TOP - 6}" y2="${height - 12}" stroke="#999" stroke-dasharray="3 3"/>
${bars.join('\n')}
</svg>
`
}
