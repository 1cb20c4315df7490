import { expect, it } from 'vitest'
import { decoder, encodingSniffer } from './encoding.ts'

const text = 'Müller,“quoted”,10 €\r\n'
const utf16be = (value: string) => Buffer.from(value, 'utf16le').swap16()

it.each([
  ['utf-8', Buffer.from(text), text],
  ['utf-8', Buffer.from(`\ufeff${text}`), text],
  ['utf-8', Buffer.from('plain'), 'plain'],
  ['utf-16le', Buffer.from(`\ufeff${text}`, 'utf16le'), text],
  ['utf-16le', Buffer.from('name;city\r\nAnn;Rome', 'utf16le'), 'name;city\r\nAnn;Rome'],
  ['utf-16be', utf16be(`\ufeff${text}`), text],
  ['utf-16be', utf16be('name;city'), 'name;city'],
  ['windows-1252', Buffer.from('M\xfcller \x80 \x93x\x94', 'latin1'), 'Müller € “x”'],
  [undefined, Buffer.from('PK\x03\x04\0\0\0\0abc\0'), ''],
] as const)('tells %s', (encoding, bytes, expected) => {
  for (let chunk = 1; chunk <= bytes.length; chunk += 3) {
    const sniffer = encodingSniffer()
    for (let at = 0; at < bytes.length; at += chunk) sniffer.push(bytes.subarray(at, at + chunk))
    const found = sniffer.result()
    expect(found).toBe(encoding)
    if (found === undefined) continue
    const reading = decoder(found)
    let read = ''
    for (let at = 0; at < bytes.length; at += chunk) read += reading.push(bytes.subarray(at, at + chunk))
    expect(read + reading.end()).toBe(expected)
  }
})
