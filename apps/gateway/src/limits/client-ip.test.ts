import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { clientAddress, clientNetwork, isAddressRange, trustProxies } from '#limits/client-ip';

/** Returns the client address of a request with these addresses. */
function addressOf(remote: string, forwarded: string | undefined, trusted: readonly string[]): string {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remote });
  const message = new IncomingMessage(socket);
  if (forwarded !== undefined) message.headers['x-forwarded-for'] = forwarded;
  return clientAddress(message, trustProxies(trusted));
}

describe("a client's address", () => {
  it.each([
    ['203.0.113.9', '1.2.3.4', [], '203.0.113.9'],
    ['203.0.113.9', '1.2.3.4', ['10.0.0.0/8'], '203.0.113.9'],
    ['10.0.0.2', '1.2.3.4', ['10.0.0.0/8'], '1.2.3.4'],
    ['::ffff:10.0.0.2', '1.2.3.4', ['10.0.0.0/8'], '1.2.3.4'],
    ['10.0.0.2', '6.6.6.6, 1.2.3.4', ['10.0.0.0/8'], '1.2.3.4'],
    ['10.0.0.2', '6.6.6.6, 1.2.3.4, 10.0.0.3', ['10.0.0.0/8'], '1.2.3.4'],
    ['10.0.0.2', '10.0.0.4, 10.0.0.3', ['10.0.0.0/8'], '10.0.0.4'],
    ['10.0.0.2', '1.2.3.4, nonsense', ['10.0.0.0/8'], '10.0.0.2'],
    ['10.0.0.2', undefined, ['10.0.0.0/8'], '10.0.0.2'],
    ['10.0.0.2', '1.2.3.4:5678', ['10.0.0.2'], '1.2.3.4'],
    ['fd00::1', '[2001:db8::7]:443', ['fd00::/8'], '2001:db8::7'],
  ])('is derived from %s, X-Forwarded-For %j and trusted proxies %j: %s', (remote, forwarded, trusted, address) => {
    expect(addressOf(remote, forwarded, trusted)).toBe(address);
  });

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2ff::1', '2001:db8:1:200::/56'],
    ['2001:db8:1:2aa:ffff:ffff:ffff:ffff', '2001:db8:1:200::/56'],
    ['2001:db8:1:300::1', '2001:db8:1:300::/56'],
    ['2001:db8::1', '2001:db8:0:0::/56'],
    ['::1', '0:0:0:0::/56'],
  ])('%s belongs to %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });
});

describe('isAddressRange', () => {
  it('accepts addresses and CIDR ranges only', () => {
    for (const good of ['10.0.0.0/8', '::1', 'fd00::/8', '127.0.0.1']) expect(isAddressRange(good)).toBe(true);
    for (const bad of ['10.0.0.0/33', 'loopback', '10.0.0.0/8/8', '::/129', '10.0.0/8', '1.2.3.4/x', '']) {
      expect(isAddressRange(bad)).toBe(false);
    }
  });
});
