import { expect, it } from 'vitest'
import { isIn, isNetwork, isPublic, networks } from './addresses.ts'

it.each([
  ...[
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
  ],
  ...['172.16.0.1', '172.31.255.255', '192.0.0.192', '192.0.2.1', '192.168.1.1', '198.18.0.1', '224.0.0.1'],
  ...['240.0.0.1', '255.255.255.255', '168.63.129.16'],
  ...[
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:a00:1',
    '64:ff9b::a00:1',
    '64:ff9b::808:808',
  ],
  ...[
    '64:ff9b:1::1',
    'fe80::1',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '2001:db8::1',
    '2001::1',
    '2002:a00:1::',
  ],
  ...['fec0::1', '100::1', '::7f00:1', 'not an address', ''],
])('%s is not on the public internet', address => {
  expect(isPublic(address)).toBe(false)
})

it.each(['1.1.1.1', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'])(
  '%s is on the public internet',
  address => {
    expect(isPublic(address)).toBe(true)
  },
)

it('matches addresses against networks', () => {
  const list = networks(['10.1.0.0/16', '192.168.7.9', 'fd00::/8'])
  expect(['10.1.255.1', '192.168.7.9', 'fd12::1', '::ffff:10.1.0.1'].map(one => isIn(list, one))).toEqual(
    Array(4).fill(true),
  )
  expect(['10.2.0.1', '192.168.7.8', 'fe80::1', '127.0.0.1'].map(one => isIn(list, one))).toEqual(
    Array(4).fill(false),
  )
  expect(['10.0.0.0/33', '10.0.0/8', 'fd00::/129', 'example.com', '10.0.0.0/8/8', ''].some(isNetwork)).toBe(
    false,
  )
})
