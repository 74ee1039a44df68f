import { describe, expect, it } from '@jest/globals';
import { classify, parseAddress } from '#address-ranges';
import { parseEgressAllow } from '#egress-rule';

const classOf = (text: string) => {
  const address = parseAddress(text);
  return address === undefined ? 'no address' : classify(address);
};

describe('parseEgressAllow', () => {
  it('accepts addresses, ranges, hosts and suffixes, each with or without a port', () => {
    const summary = parseEgressAllow(
      ' 10.1.2.3, 10.0.0.0/8:443,::1,[::1]:8080,fd00::/8,[fd00::]/8:5432,Db.Internal.:5432,*.corp.example,',
    ).map((rule) =>
      rule.kind === 'addresses'
        ? `${rule.network}/${rule.bits} ${rule.port}`
        : `${rule.kind} ${rule.name} ${rule.port}`,
    );
    expect(summary).toEqual([
      '10.1.2.3/32 undefined',
      '10.0.0.0/8 443',
      '::1/128 undefined',
      '::1/128 8080',
      'fd00::/8 undefined',
      'fd00::/8 5432',
      'host db.internal 5432',
      'suffix corp.example undefined',
    ]);
    expect(parseEgressAllow('')).toEqual([]);
  });

  it.each([
    ['http://10.0.0.1', 'is a URL'],
    ['10.0.0.0/33', 'is not a range'],
    ['10.0.0', 'is not a complete address'],
    ['10.0.0.1:0', 'has an invalid port'],
    ['10.0.0.1:70000', 'has an invalid port'],
    ['*', 'is neither'],
    ['a b', 'is neither'],
    ['*.*.example', 'is neither'],
    ['/var/run/x.sock', 'is not a range'],
  ])('rejects %s', (entry, why) => {
    expect(() => parseEgressAllow(`10.0.0.1,${entry}`)).toThrow(`EGRESS_ALLOW: "${entry}" ${why}`);
  });
});

describe('classify', () => {
  it.each([
    ['public', ['8.8.8.8', '1.1.1.1', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8']],
    ['inside', ['127.0.0.1', '127.255.0.1', '10.0.0.1', '172.31.0.1', '192.168.1.1', '100.64.0.1', '::1', 'fc00::1']],
    ['inside', ['::ffff:127.0.0.1', '::ffff:7f00:1', '64:ff9b::a00:1', '[::1]', '::1%lo']],
    ['metadata', ['169.254.169.254', '100.100.100.200', 'fd00:ec2::254', '168.63.129.16', '::ffff:169.254.169.254']],
    ['special', ['0.0.0.0', '169.254.1.1', '224.0.0.1', '255.255.255.255', '198.18.0.1', '192.0.2.1', '203.0.113.9']],
    ['special', ['::', 'fe80::1%eth0', 'ff02::1', '2001:db8::1', '2002:7f00:1::', '2001::1', '::127.0.0.1', 'fec0::1']],
    ['special', ['64:ff9b:1::7f00:1', '100::1', '5f00::1', '3fff::1', '240.0.0.1', '192.88.99.1']],
    ['no address', ['127.1', '0x7f000001', '2130706433', '0177.0.0.1', 'localhost', '', '1.2.3.4.5']],
  ])('%s: %j', (kind, addresses) => {
    expect(addresses.map(classOf)).toEqual(addresses.map(() => kind));
  });
});
