/**
 * Spellings of loopback, private, metadata and other special addresses that a user could enter in a
 * setting.
 */
export const internalAddresses: readonly string[] = [
  ...['127.0.0.1', '127.1', '127.0.1', '127.255.255.254', '2130706433', '0x7f000001', '0x7f.0.0.1', '0177.0.0.1'],
  ...['017700000001', '0x7f.1', '127.0.0.1.', '①②⑦.⓪.⓪.①', '127。0。0。1', '%31%32%37.0.0.1', '0', '0.0.0.0'],
  ...['0x0', '[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[0000::0001]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
  ...['[::127.0.0.1]', '[::7f00:1]', '[64:ff9b::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::7f00:1]'],
  ...['[2002:7f00:1::]', '[2001:0:7f00:1::]', '[fe80::1]', '[fc00::1]', '[fd00:ec2::254]', '[ff02::1]', '[fec0::1]'],
  ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'localhost.localdomain', 'ip6-localhost', 'ⓛocalhost'],
  ...['169.254.169.254', '0xa9fea9fe', '2852039166', '169.254.169.254.', '100.100.100.200', '168.63.129.16'],
  ...['10.0.0.1', '172.16.0.1', '192.168.0.1', '100.64.0.1', '198.18.0.1', '192.0.2.1', '224.0.0.1', '240.0.0.1'],
  ...['255.255.255.255', 'inside.example', 'mapped.example', 'nothing-but-inside.example', 'six.example'],
  ...['metadata.google.internal', 'user:secret@127.0.0.1', '127.0.0.1#@8.8.8.8'],
];
