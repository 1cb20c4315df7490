/** The entry of the process; src/cli has the commands. */
import { main } from './cli/index.ts'

await main(process.argv.slice(2))
