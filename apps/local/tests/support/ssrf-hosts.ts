import { hostname, networkInterfaces } from 'node:os';

const LOOPBACK = [
  ...['127.0.0.1', '127.1', '127.0.1', '127.0.0.1.', '127.0.0.2', '127.255.255.254', '0177.0.0.1', '0x7f.0.0.1'],
  ...['0x7f000001', '2130706433', '017700000001', '0x7f.1', '0177.1', '127.0.0.01', '0', '0x0', '0.0.0.0', '0.0.0.1'],
  ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[0000::0001]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]'],
  ...['[0:0:0:0:0:ffff:127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b::127.0.0.1]', '[2002:7f00:1::]', '[::1%25lo]'],
  ...['localhost', 'LOCALHOST', 'localhost.', 'ip6-localhost', 'ip6-loopback', 'foo.localhost'],
];
const METADATA = [
  ...['169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.254.43518', '169.254.170.2'],
  ...['[::ffff:169.254.169.254]', '[fd00:ec2::254]', '[64:ff9b::a9fe:a9fe]', '100.100.100.200', '192.0.0.192'],
];
const PRIVATE = [
  ...['10.0.0.1', '10.255.255.254', '172.16.0.1', '172.31.255.254', '192.168.0.1', '192.168.255.254', '100.64.0.1'],
  ...['198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '[fc00::1]', '[fd12::1]', '[fe80::1]', '[ff02::1]'],
];
const DISGUISED = [
  ...['１２７.0.0.1', '①②⑦.0.0.1', '127。0。0。1', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', '%31%32%37.0.0.1', '127.0.0.1%00.example.com'],
  ...['example.com@127.0.0.1', 'user:pass@127.0.0.1', '127.0.0.1\\@example.com', ' 127.0.0.1', '127.0.0.1\t'],
];

/** Returns notations of internal addresses as the host of a URL. */
export function ssrfHosts(): string[] {
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.map(({ address, family }) => (family === 'IPv6' ? `[${address.split('%')[0]}]` : address)),
  );
  return [...new Set([...LOOPBACK, ...METADATA, ...PRIVATE, ...DISGUISED, hostname(), ...own])];
}
