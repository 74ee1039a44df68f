import { describe, expect, it } from '@jest/globals';
import { findConnectorType } from '../registry.ts';

describe('the fields that demand the credentials again', () => {
  it.each([
    ['postgresql', ['host', 'port', 'sslMode', 'database', 'schema']],
    ['s3', ['endpoint', 'bucket']],
    ['confluence', ['instanceUrl']],
    // The address is one of the credentials.
    ['salesforce', []],
    // One address, which the operator sets.
    ['github', []],
    ['slack', []],
  ])('of %s decide where credentials go and what they open', (name, fields) => {
    expect(findConnectorType(name).endpointFields).toEqual(fields);
  });
});
