/** Answers requests that Node cannot parse, which never reach a route, in the form of every other error. */
import type { Socket } from 'node:net'

const ANSWERS: Record<string, [status: string, detail: string]> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'The address and headers are larger than 16 KB',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive'],
}
const MALFORMED: [string, string] = ['400 Bad Request', 'This is not an HTTP request that can be read']

export function refuseUnreadable(error: { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, detail] = ANSWERS[error.code ?? ''] ?? MALFORMED
  const body = JSON.stringify({ detail })
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
