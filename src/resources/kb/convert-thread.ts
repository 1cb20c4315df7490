/** One long conversion, away from the thread that answers requests. */
import { parentPort, workerData } from 'node:worker_threads'
import { type Conversion, conversions } from './convert.ts'

const { conversion, given } = workerData as { conversion: Conversion; given: string }
parentPort!.postMessage(conversions[conversion](given))
