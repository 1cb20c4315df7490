/** The thread of one long conversion, so that the main thread can answer requests. */
import { parentPort, workerData } from 'node:worker_threads'
import { type Conversion, conversions } from './convert.ts'

const { conversion, given }: { conversion: Conversion; given: string } = workerData
parentPort?.postMessage(conversions[conversion](given))
