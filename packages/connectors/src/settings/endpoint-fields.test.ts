import { describe, expect, it } from '@jest/globals';
import { findConnectorType } from '#registry';

describe('fields that require the credentials again', () => {
  it.each([
    ['postgresql', ['host', 'port', 'sslMode', 'database', 'schema']],
    ['s3', ['endpoint', 'bucket']],
    ['confluence', ['instanceUrl']],
    ['jira', ['baseUrl']],
    ['gitlab', ['instanceUrl']],
    ['microsoft_365', ['cloud', 'endpoint']],
    // The URL is part of the credentials.
    ['salesforce', []],
    ['google_drive', ['users', 'orgUnits']],
    // The operator sets the address.
    ['github', []],
    ['slack', []],
  ])('determine where credentials are sent and what they give access to: %s', (name, fields) => {
    expect(findConnectorType(name).endpointFields).toEqual(fields);
  });
});
