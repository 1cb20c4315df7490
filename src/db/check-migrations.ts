/** Checks the form of migration files, for `npm run image` and a test. */
import type { Migration } from './migrate.ts'

/** A sentence for each problem, which says what to do. */
export function migrationProblems(files: readonly Migration[]): string[] {
  const numbers = files.flatMap(({ name, version }, i) =>
    version === i + 1
      ? []
      : [
          `${name}: numbers have no gaps and no repeats, so rename it to ${String(i + 1).padStart(4, '0')}${name.slice(4)}.`,
        ],
  )
  const contents = files.flatMap(({ name, text }) => {
    const code = text.replace(/--.*/g, '')
    const misplaced =
      /\bcreate\s+(?:or\s+replace\s+)?(?:constraint\s+)?(function|procedure|trigger|view)\b|\bcall\s+\w+/i.exec(
        code,
      )
    return misplaced
      ? [
          `${name}: "${misplaced[0]}" belongs in src/db/functions (as "create or replace"), which is applied after every migration; ` +
            'a trigger made by a migration is dropped again. See "Changing the schema" in CONTRIBUTING.md.',
        ]
      : []
  })
  return [...numbers, ...contents]
}
